import type { TurnKey } from "@skillwright/records";
import { added, jobName, queueName, type TurnQueue } from "./turn-queue.js";

/** What is used of a `PgBoss` of pg-boss 12, whose own types need more than its package has. */
export interface TurnBoss {
  createQueue(name: string, options?: object): Promise<void>;
  send(name: string, data?: object | null, options?: object): Promise<string | null>;
  work(name: string, options: object, handler: (jobs: TurnJob[]) => Promise<unknown>): Promise<string>;
  offWork(name: string, options?: { id?: string; wait?: boolean }): Promise<void>;
}

export interface TurnJob {
  readonly data: TurnKey;
}

export interface PgBossTurnsOptions {
  /** A started instance; it is not stopped. With `useListenNotify`, turns are taken up at once. */
  readonly boss: TurnBoss;
  /** Turns that one process works on at once. Each place asks the database every 5 s. Defaults to 10. */
  readonly concurrency?: number | undefined;
  /**
   * A process that has not said for so long that it works on a turn loses it when the instance next supervises its
   * queues (`superviseIntervalSeconds`). Defaults to 30,000, at least 10,000.
   */
  readonly lostAfterMs?: number | undefined;
  /** Time until a turn that was not seen to its end is given again, rounded up to seconds. Defaults to 5000. */
  readonly againAfterMs?: number | undefined;
}

/** Turns in queues of pg-boss 12 on PostgreSQL, one queue for each application. */
export function pgBossTurns({
  boss,
  concurrency = 10,
  lostAfterMs = 30_000,
  againAfterMs = 5000,
}: PgBossTurnsOptions): TurnQueue {
  const made = new Map<string, Promise<void>>();
  const works = new Set<() => Promise<void>>();

  const settings = {
    ...ALWAYS_AGAIN,
    heartbeatSeconds: Math.ceil(lostAfterMs / 1000),
    retryDelay: Math.ceil(againAfterMs / 1000),
  };

  async function queueOf(app: string): Promise<string> {
    const name = queueName(app);
    const making = made.get(name) ?? boss.createQueue(name, settings);
    made.set(name, making);
    await making.catch((error) => {
      made.delete(name);
      throw error;
    });
    return name;
  }

  async function close(): Promise<void> {
    await Promise.all([...works].map((stop) => stop()));
  }

  return {
    add: async (turn) => {
      const send = (queue: string) => boss.send(queue, turn, { singletonKey: jobName(turn) });
      await added(queueOf(turn.scope.app).then(send));
    },
    work: async (app, run) => {
      const name = await queueOf(app);
      const stopping = new AbortController();
      const { signal } = stopping;
      const options = { ...ASKING, localConcurrency: concurrency };
      const running = new Set<Promise<void>>();
      const id = await boss.work(name, options, async (jobs) => {
        const seen = Promise.all(jobs.map(({ data }) => run(data, { signal }))).then(() => undefined);
        running.add(seen);
        await seen.finally(() => running.delete(seen));
      });
      async function stop(): Promise<void> {
        works.delete(stop);
        stopping.abort();
        await Promise.allSettled(running);
        await boss.offWork(name, { id, wait: true });
      }
      works.add(stop);
      return { stop };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A turn may take as long as it likes while its process says that it works on it. */
const ALWAYS_AGAIN = {
  policy: "exclusive",
  retryLimit: 1_000_000,
  expireInSeconds: 24 * 60 * 60 - 1,
  deleteAfterSeconds: 60,
  notify: true,
} as const;

/** Also for turns that are given again, which no notification tells. */
const ASKING = { pollingIntervalSeconds: 5, notifyPollingIntervalSeconds: 5 };
