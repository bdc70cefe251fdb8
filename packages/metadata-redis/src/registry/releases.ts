import { untilAborted } from "@skillwright/core";
import { listen } from "../connection/channel.js";
import type { RedisClient } from "../connection/redis-place.js";

/** A waiter looks again at least this often, whether it is told of a release or not. */
const LONGEST_WAIT_MS = 250;

export interface ReleaseWaiter {
  /** Call it before looking whether the lease is free: what is released from then on ends the next wait. */
  look(): void;
  /** Settles when it is worth looking again, at the latest after that time. */
  wait(atMostMs: number, signal: AbortSignal | undefined): Promise<void>;
  done(): void;
}

/** Tells waiters of releases over one connection, which is there as long as anybody waits. */
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
    // Without a connection of its own a waiter still looks from time to time.
    listening ??= listen(client, channel, { message: tell, back: () => tell() }).catch(() => undefined);
    // What was released before anybody listened is told to nobody: look once more.
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
