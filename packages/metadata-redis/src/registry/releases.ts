import { untilAborted } from "@skillwright/core/adapter";
import { listen } from "../connection/channel.js";
import type { RedisClient } from "../connection/redis-place.js";

/** A waiter checks again at least this often, whether or not a release was announced. */
const LONGEST_WAIT_MS = 250;

export interface ReleaseWaiter {
  /** Call it before checking whether the lease is free: releases after this call end the next wait. */
  look(): void;
  /** Settles when checking again is useful, at the latest after that time. */
  wait(atMostMs: number, signal: AbortSignal | undefined): Promise<void>;
  done(): void;
}

/** Announces releases to waiters over one connection, which is open while there are waiters. */
export function releases(
  client: RedisClient,
  channel: string,
): { waiter(workspaceId: string): ReleaseWaiter; close(): void } {
  const wakers = new Map<() => void, string>();
  let listening: Promise<(() => void) | undefined> | undefined;

  function waiter(workspaceId: string): ReleaseWaiter {
    let isToldOf = false;
    let wake = (): void => undefined;
    const told = (): void => {
      isToldOf = true;
      wake();
    };
    wakers.set(told, workspaceId);
    // Without the connection, waiters still check periodically.
    listening ??= listen(client, channel, { message: tell, back: () => tell() }).catch(() => undefined);
    // Releases before the subscription are not announced: check once more.
    void listening.then(told);

    async function wait(atMostMs: number, signal: AbortSignal | undefined): Promise<void> {
      if (isToldOf) return;
      let timer: NodeJS.Timeout | undefined;
      const change = new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, Math.min(Math.ceil(atMostMs), LONGEST_WAIT_MS));
      });
      try {
        await untilAborted(change, signal);
      } finally {
        clearTimeout(timer);
      }
    }

    function look(): void {
      isToldOf = false;
    }

    function done(): void {
      wakers.delete(told);
      if (wakers.size === 0) close();
    }

    return { look, wait, done };
  }

  function tell(workspaceId?: string): void {
    for (const [told, waitsFor] of [...wakers])
      if (workspaceId === undefined || waitsFor === workspaceId) told();
  }

  function close(): void {
    void listening?.then((stop) => stop?.());
    listening = undefined;
  }

  return { waiter, close };
}
