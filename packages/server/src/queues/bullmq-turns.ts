import type { TurnKey } from "@skillwright/records";
import { type ConnectionOptions, Queue, Worker } from "bullmq";
import { printedLog, tellWork } from "../log/server-log.js";
import { added, jobName, queueName, type TurnQueue } from "./turn-queue.js";

export interface BullmqTurnsOptions {
  /** As BullMQ takes it: host and port, `{ url }`, or a client of ioredis with `maxRetriesPerRequest: null`. */
  readonly connection: ConnectionOptions;
  /** First part of all keys. Defaults to `skillwright-turns`. */
  readonly prefix?: string | undefined;
  /** Turns that one process works on at once. Defaults to 100. */
  readonly concurrency?: number | undefined;
  /** A process that has not said for so long that it works on a turn loses it. Defaults to 30,000. */
  readonly lostAfterMs?: number | undefined;
  /** Time until a turn that was not seen to its end is given again. Defaults to 5000. */
  readonly againAfterMs?: number | undefined;
  /** Receives failures of the connection, which BullMQ restores by itself. The default prints at most one line a minute on standard error. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Turns in queues of BullMQ 6 on Redis, one queue for each application. Closing closes connections that it opened. */
export function bullmqTurns({
  connection,
  prefix = "skillwright-turns",
  concurrency = 100,
  lostAfterMs = 30_000,
  againAfterMs = 5000,
  onError = printed(),
}: BullmqTurnsOptions): TurnQueue {
  const queues = new Map<string, Queue<TurnKey>>();
  const workers = new Set<Worker<TurnKey>>();

  function queueOf(app: string): Queue<TurnKey> {
    const name = queueName(app);
    const queue = queues.get(name) ?? new Queue<TurnKey>(name, { connection, prefix });
    if (!queues.has(name)) queue.on("error", onError);
    queues.set(name, queue);
    return queue;
  }

  async function close(): Promise<void> {
    await Promise.all([...workers].map((worker) => worker.close()));
    await Promise.all([...queues.values()].map((queue) => queue.close()));
  }

  return {
    add: async (turn) => {
      const adding = queueOf(turn.scope.app).add("turn", turn, {
        ...ALWAYS_AGAIN,
        backoff: { type: "fixed", delay: againAfterMs },
        // The job of a turn that another process runs fails every few seconds, and BullMQ would keep each stack trace.
        stackTraceLimit: 1,
        jobId: jobName(turn),
      });
      await added(adding);
    },
    work: async (app, run) => {
      const stopping = new AbortController();
      const worker = new Worker<TurnKey>(
        queueName(app),
        async ({ data }) => await run(data, { signal: stopping.signal }),
        {
          ...{ connection, prefix, concurrency },
          ...{ lockDuration: lostAfterMs, stalledInterval: lostAfterMs / 2 },
          maxStalledCount: Number.MAX_SAFE_INTEGER,
        },
      );
      workers.add(worker.on("error", onError));
      await worker.waitUntilReady();
      return {
        stop: async () => {
          stopping.abort();
          await worker.close();
          workers.delete(worker);
        },
      };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A job that is done leaves nothing behind, so that its name is free again. */
const ALWAYS_AGAIN = {
  attempts: Number.MAX_SAFE_INTEGER,
  removeOnComplete: true,
} as const;

function printed(): (error: Error) => void {
  const failed = tellWork(printedLog);
  return (error) => failed("The connection to the queue of turns", error);
}
