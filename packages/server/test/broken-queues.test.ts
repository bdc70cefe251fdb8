import { type Breakages, testBreakages, testContract } from "@skillwright/contracts";
import { describe, test } from "vitest";
import type { TurnQueue } from "../src/bullmq.js";
import { memoryQueues } from "./queues/memory-queue.js";
import { type QueueSubject, turnQueuePromises } from "./queues/queue-promises.js";

/** Changes what workers of the subject's queues see. */
const seeing =
  (changed: (see: See) => See) =>
  (subject: QueueSubject): QueueSubject =>
    queues(subject, (queue) => ({ ...queue, work: (app, see) => queue.work(app, changed(see)) }));

type See = Parameters<TurnQueue["work"]>[1];

function queues(subject: QueueSubject, changed: (queue: TurnQueue) => TurnQueue): QueueSubject {
  return { ...subject, open: async () => changed(await subject.open()) };
}

let added = 0;

const breakages: Breakages<QueueSubject> = {
  // Each turn is given twice.
  "turn-queue/once": seeing((see) => async (turn, options) => {
    await see(turn, options);
    await see(turn, options);
  }),
  // A turn that waits is added again.
  "turn-queue/again-when-done": (subject) =>
    queues(subject, (queue) => ({
      ...queue,
      add: (turn) => queue.add({ ...turn, turn: `${turn.turn} ${++added}` }),
      work: (app, see) =>
        queue.work(app, (turn, options) => see({ ...turn, turn: turn.turn.split(" ")[0] ?? "" }, options)),
    })),
  // A turn whose worker failed counts as seen.
  "turn-queue/unseen": seeing((see) => (turn, options) => see(turn, options).catch(() => undefined)),
  // The signal never fires.
  "turn-queue/stop": seeing((see) => (turn) => see(turn, { signal: new AbortController().signal })),
  // A process that was killed keeps its turn.
  "turn-queue/killed": (subject) => ({
    ...subject,
    hold: async () => ({ ...(await subject.hold()), kill: async () => undefined }),
  }),
};

let apps = 0;
const create = async () => memoryQueues(`memory ${++apps}`);

describe("queues that keep their promises", () => testContract(test, turnQueuePromises, create));

describe("SERVE-64: queues that break a promise", () =>
  testBreakages(test, turnQueuePromises, breakages, create));
