import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { MetadataIndex } from "@skillwright/core";
import { inTime } from "../in-time.js";
import type { IndexPromise } from "./subject.js";

export const noticePromises: readonly IndexPromise[] = [
  {
    id: "metadata-index/subscribe/told",
    promise: "A listener is called with each new revision, also when another store wrote it.",
    seed: undefined,
    run: async ({ index, other }) => {
      const told = listening();
      const subscription = await index.subscribe(told.listener);
      let from: number | undefined;
      for (const writer of [index, other, other]) {
        from = await writer.write({ from, put: [], remove: [] });
        await inTime(told.revision(from), `The notice of revision ${from}`);
      }
      await subscription.close();
    },
  },
  {
    id: "metadata-index/subscribe/all",
    promise:
      "Every listener is called; an error thrown by one affects neither the other listeners nor the writer.",
    seed: undefined,
    run: async ({ index, other }) => {
      const all = [listening(), listening()];
      const subscriptions = [
        await index.subscribe(() => {
          throw new Error("A listener of the contract that fails.");
        }),
        await index.subscribe(all[0]?.listener ?? assert.fail()),
        await other.subscribe(all[1]?.listener ?? assert.fail()),
      ];
      const from = await index.write({ from: undefined, put: [], remove: [] });
      const revision = await other.write({ from, put: [], remove: [] });
      for (const told of all) await inTime(told.revision(revision), "The notice");
      for (const subscription of subscriptions) await subscription.close();
    },
  },
  {
    id: "metadata-index/subscribe/refused-write",
    promise: "Listeners are not called for a write that fails with CONFLICT.",
    seed: undefined,
    run: async ({ index, other }) => {
      const told = listening();
      const subscription = await index.subscribe(told.listener);
      const from = await other.write({ from: undefined, put: [], remove: [] });
      await Promise.allSettled([other.write({ from: from - 1, put: [], remove: [] })]);
      const last = await other.write({ from, put: [], remove: [] });
      await inTime(told.revision(last), "The notice");
      assert.deepEqual([...new Set(told.seen)], [from, last]);
      await subscription.close();
    },
  },
  {
    id: "metadata-index/subscribe/closed",
    promise:
      "A closed subscription is not called any more, other subscriptions are; closing it twice is not an error.",
    seed: undefined,
    run: async ({ index, other }) => {
      const [left, stayed] = [listening(), listening()];
      const leaving = await index.subscribe(left.listener);
      const staying = await index.subscribe(stayed.listener);
      await assert.doesNotReject(closeTwice(leaving));
      const revision = await other.write({ from: undefined, put: [], remove: [] });
      await inTime(stayed.revision(revision), "The notice");
      await delay(20);
      assert.deepEqual(left.seen, []);
      await staying.close();
    },
  },
];

function listening(): {
  readonly seen: readonly number[];
  readonly listener: (revision: number) => void;
  /** Settles once the listener was called with this revision. */
  revision(wanted: number): Promise<void>;
} {
  const seen: number[] = [];
  let look = (): void => undefined;
  return {
    seen,
    listener: (revision) => {
      seen.push(revision);
      look();
    },
    revision: (wanted) =>
      new Promise((resolve) => {
        look = () => {
          if (seen.includes(wanted)) resolve();
        };
        look();
      }),
  };
}

async function closeTwice(subscription: Awaited<ReturnType<MetadataIndex["subscribe"]>>): Promise<void> {
  await subscription.close();
  await subscription.close();
  await subscription[Symbol.asyncDispose]();
}
