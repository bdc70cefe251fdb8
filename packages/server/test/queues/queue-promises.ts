import { once } from "node:events";
import { type ContractPromise, inTime } from "@skillwright/contracts";
import type { TurnKey } from "@skillwright/records";
import { expect } from "vitest";
import type { TurnQueue } from "../../src/bullmq.js";
import type { HoldingProcess } from "./holding-process.js";

export interface QueueSubject {
  /** A new handle of the same queues. */
  open(): Promise<TurnQueue>;
  /** An application without turns. */
  readonly app: string;
  /** Another process, which takes one turn of the application and works on it without end. */
  hold(): Promise<HoldingProcess>;
  /** How long what must come may take; only a failure takes all of it. */
  readonly patienceMs: number;
}

function turnOf(app: string, name: string): TurnKey {
  return { scope: { app, user: "u:1", session: "s/ß" }, turn: name };
}

const poll = <T>({ patienceMs: timeout }: QueueSubject, look: () => T) => expect.poll(look, { timeout });

/** What every queue of turns promises. */
export const turnQueuePromises: readonly ContractPromise<QueueSubject>[] = [
  {
    id: "turn-queue/once",
    promise: "gives each turn to one worker, with all its parts, and none of another application",
    seed: undefined,
    run: async (subject) => {
      const { app } = subject;
      const [first, second, other] = [await subject.open(), await subject.open(), await subject.open()];
      const seen: TurnKey[] = [];
      const see = async (one: TurnKey) => void seen.push(one);
      await other.add(turnOf(`${app} of others`, "elsewhere"));
      await first.work(app, see);
      await second.work(app, see);
      const turns = Array.from({ length: 20 }, (_, index) => turnOf(app, `t${index}`));
      await Promise.all(turns.map((one, index) => (index % 2 ? first : second).add(one)));
      await poll(subject, () => seen.length).toBeGreaterThanOrEqual(20);
      for (const queue of [first, second, other]) await queue.close();
      for (const one of turns) expect(seen).toContainEqual(one);
      expect(seen.length).toBe(20);
    },
  },
  {
    id: "turn-queue/again-when-done",
    promise: "does not add a turn that waits or is worked on, and adds one that is done",
    seed: undefined,
    run: async (subject) => {
      const queue = await subject.open();
      const turn = (name: string) => turnOf(subject.app, name);
      await queue.add(turn("t"));
      await queue.add(turn("t"));
      const seen: string[] = [];
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await queue.work(subject.app, async ({ turn: name }) => {
        seen.push(name);
        if (seen.length === 1) await held;
      });
      try {
        await poll(subject, () => seen).toEqual(["t"]);
        await queue.add(turn("t"));
        await queue.add(turn("last"));
        await poll(subject, () => seen).toEqual(["t", "last"]);
      } finally {
        release();
      }
      // Until the engine knows that the first is done, it is not added.
      await poll(subject, async () => {
        await queue.add(turn("t"));
        return seen.filter((name) => name === "t").length;
      }).toBeGreaterThan(1);
      await queue.close();
    },
  },
  {
    id: "turn-queue/unseen",
    promise: "gives a turn again that was not seen to its end",
    seed: undefined,
    run: async (subject) => {
      const queue = await subject.open();
      let times = 0;
      await queue.add(turnOf(subject.app, "t"));
      await queue.work(subject.app, async () => {
        if (++times < 3) throw new Error("the store is away");
      });
      await poll(subject, () => times).toBe(3);
      await queue.close();
    },
  },
  {
    id: "turn-queue/stop",
    promise: "fires the signal at stop, and gives what is open to another worker",
    seed: undefined,
    run: async (subject) => {
      const { app } = subject;
      const [first, second] = [await subject.open(), await subject.open()];
      await first.add(turnOf(app, "t"));
      let started = false;
      const work = await first.work(app, async (_, { signal }) => {
        started = true;
        await once(signal, "abort");
        throw new Error("stopped");
      });
      await poll(subject, () => started).toBe(true);
      await inTime(work.stop(), "stop");
      const seen: TurnKey[] = [];
      await second.work(app, async (one) => void seen.push(one));
      await poll(subject, () => seen).toEqual([turnOf(app, "t")]);
      await first.close();
      await second.close();
    },
  },
  {
    id: "turn-queue/killed",
    promise: "gives the turn of a process that was killed to another one",
    seed: undefined,
    run: async (subject) => {
      const { app } = subject;
      const queue = await subject.open();
      await queue.add(turnOf(app, "t"));
      const holder = await subject.hold();
      expect(holder.turn).toEqual(turnOf(app, "t"));
      await holder.kill();
      const seen: TurnKey[] = [];
      await queue.work(app, async (one) => void seen.push(one));
      await poll(subject, () => seen).toEqual([turnOf(app, "t")]);
      await queue.close();
    },
  },
];
