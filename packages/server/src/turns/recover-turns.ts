import { setTimeout } from "node:timers/promises";
import { SkillError } from "@skillwright/core";
import type { TurnKey, TurnRecord, Turns } from "@skillwright/records";
import type { TellWork } from "../log/server-log.js";
import type { TurnQueue } from "../queues/turn-queue.js";

/** Longest interval at which a process looks for turns whose process has died. */
const LOOK_EVERY_MS = 5000;

/**
 * Takes over turns of the application whose process has died, in any process that shares the store: those that the queue
 * gives, or without one, those that the store has. Returns a function that takes over no more and waits for what is under
 * way.
 */
export function recoverTurns(parts: {
  readonly app: string;
  readonly turns: Turns;
  readonly queue: TurnQueue | undefined;
  readonly leaseMs: number;
  /** @throws SkillError `CONFLICT` while another process has the turn. */
  readonly takeOver: (turn: TurnRecord) => Promise<void>;
  readonly failed: TellWork;
}): () => Promise<void> {
  return parts.queue ? byQueue(parts.queue, parts) : byLooking(parts);
}

function byQueue(
  queue: TurnQueue,
  { app, turns, takeOver, failed }: Parameters<typeof recoverTurns>[0],
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  /** A turn that another process has is refused, so that the queue gives it again. */
  async function recover(key: TurnKey): Promise<void> {
    const turn = await turns.get(key);
    if (turn?.state !== "active") return;
    await takeOver(turn).catch((error: unknown) => {
      if (!SkillError.is(error, "RUN_NOT_FOUND")) throw error;
    });
  }

  const working = (async () => {
    while (!signal.aborted)
      try {
        return await queue.work(app, recover);
      } catch (error) {
        // Its server is away; turns run meanwhile.
        failed("Getting turns from the queue", error);
        // The signal ends the pause.
        await setTimeout(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
      }
    return undefined;
  })();

  return async () => {
    stopping.abort();
    await (await working)?.stop();
  };
}

function byLooking({
  app,
  turns,
  leaseMs,
  takeOver,
  failed,
}: Parameters<typeof recoverTurns>[0]): () => Promise<void> {
  let looking: Promise<void> | undefined;
  const stopping = new AbortController();
  const { signal } = stopping;
  const taking = new Set<string>();
  const look = () => {
    looking ??= takeOverAll().finally(() => {
      looking = undefined;
    });
  };
  const timer = setInterval(look, Math.min(LOOK_EVERY_MS, leaseMs / 2)).unref();
  look();

  /** A store that fails is asked again later. */
  async function takeOverAll(): Promise<void> {
    const due = await turns.due(app, { signal }).catch((error: unknown) => {
      if (!signal.aborted) failed("Looking for turns that others left", error);
      return [];
    });
    for (const turn of due) {
      if (taking.has(turn.turn)) continue;
      taking.add(turn.turn);
      void takeOver(turn)
        .catch((error: unknown) => {
          // Another process has it, or ended it.
          const isOthers = SkillError.is(error, "CONFLICT") || SkillError.is(error, "RUN_NOT_FOUND");
          if (!isOthers) failed("Taking over a turn", error);
        })
        .finally(() => taking.delete(turn.turn));
    }
  }

  return async () => {
    clearInterval(timer);
    stopping.abort();
    await looking;
  };
}
