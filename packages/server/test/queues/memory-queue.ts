import { once } from "node:events";
import type { TurnKey } from "@skillwright/records";
import type { TurnJobOptions, TurnQueue } from "../../src/bullmq.js";
import type { HoldingProcess } from "./holding-process.js";
import type { QueueSubject } from "./queue-promises.js";

interface Job {
  readonly turn: TurnKey;
  worker: Worker | undefined;
}

interface Worker {
  readonly app: string;
  readonly see: (turn: TurnKey, options: TurnJobOptions) => Promise<void>;
  readonly stopping: AbortController;
  readonly open: Set<Promise<void>>;
}

/** Queues in memory that keep all promises of queues, a fake for tests of these promises. */
export function memoryQueues(app: string): QueueSubject {
  const jobs = new Map<string, Job>();
  const workers: Worker[] = [];
  let next = 0;

  function give(): void {
    for (const [key, job] of jobs) {
      const able = workers.filter((one) => one.app === job.turn.scope.app);
      const worker = able[next++ % able.length];
      if (job.worker || !worker) continue;
      job.worker = worker;
      const done = () => jobs.delete(key);
      const again = () => {
        job.worker = undefined;
      };
      const seeing = worker.see(job.turn, { signal: worker.stopping.signal }).then(done, again);
      const over: Promise<void> = seeing.then(() => {
        worker.open.delete(over);
        setImmediate(give);
      });
      worker.open.add(over);
    }
  }

  function begin(of: string, see: Worker["see"]): Worker {
    const worker = { app: of, see, stopping: new AbortController(), open: new Set<Promise<void>>() };
    workers.push(worker);
    setImmediate(give);
    return worker;
  }

  function end(worker: Worker): void {
    if (workers.includes(worker)) workers.splice(workers.indexOf(worker), 1);
  }

  async function stop(worker: Worker): Promise<void> {
    end(worker);
    worker.stopping.abort();
    await Promise.all(worker.open);
  }

  async function open(): Promise<TurnQueue> {
    const own: Worker[] = [];
    const close = async () => void (await Promise.all(own.map(stop)));
    return {
      add: async (turn) => {
        const key = JSON.stringify(turn);
        if (!jobs.has(key)) jobs.set(key, { turn, worker: undefined });
        setImmediate(give);
      },
      work: async (of, see) => {
        const worker = begin(of, see);
        own.push(worker);
        return { stop: () => stop(worker) };
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  }

  async function hold(): Promise<HoldingProcess> {
    const taken = new EventTarget();
    const worker = begin(app, async (turn) => {
      taken.dispatchEvent(new CustomEvent("turn", { detail: turn }));
      await new Promise(() => undefined);
    });
    const [event] = (await once(taken, "turn")) as [CustomEvent<TurnKey>];
    const kill = async () => {
      end(worker);
      for (const job of jobs.values()) if (job.worker === worker) job.worker = undefined;
      give();
    };
    return { turn: event.detail, kill };
  }

  return { app, open, hold, patienceMs: 1000 };
}
