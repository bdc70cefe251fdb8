import assert from "node:assert/strict";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { SkillError } from "@skillwright/core";
import { failsWith } from "../fails-with.js";
import { inTime } from "../in-time.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { LONG_MS, type RegistryPromise, record } from "./subject.js";

/** How long a caller waits for a lease. An adapter that fails at once fails sooner, also on a busy machine. */
const PATIENCE_MS = 500;
const EXPIRY_MS = 400;

export const leasePromises: readonly RegistryPromise[] = [
  {
    id: "workspace-registry/lease/alone",
    promise:
      "While the lease of a workspace is held, other callers fail with CONFLICT at once; other workspaces are free.",
    seed: undefined,
    run: async ({ registry, other }) => {
      const held = await registry.lease("a", { forMs: LONG_MS });
      assert.equal(held.workspaceId, "a");
      for (const one of [registry, other])
        await inTime(failsWith(one.lease("a", { forMs: LONG_MS }), "CONFLICT"), "The refusal");
      await (await other.lease("b", { forMs: LONG_MS })).release();
      await (await other.lease("A", { forMs: LONG_MS })).release();
    },
  },
  {
    id: "workspace-registry/lease/one-of-many",
    promise: "Exactly one of several concurrent callers gets the lease.",
    seed: undefined,
    run: async ({ registry, other }) => {
      const asked = Array.from({ length: 12 }, (_, index) => (index % 2 ? registry : other));
      const got = await Promise.allSettled(asked.map((one) => one.lease("a", { forMs: LONG_MS })));
      assert.equal(got.filter(({ status }) => status === "fulfilled").length, 1);
      const reasons = got.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      assert(
        reasons.every((error) => SkillError.is(error, "CONFLICT")),
        String(reasons[0]),
      );
    },
  },
  {
    id: "workspace-registry/lease/token",
    promise: "Each lease has a higher token than the one before, also if the record was removed in between.",
    seed: undefined,
    run: async ({ registry, other }) => {
      let last = Number.NEGATIVE_INFINITY;
      for (let turn = 0; turn < 6; turn++) {
        if (turn % 2) await registry.put(record("a"));
        const lease = await (turn % 3 ? registry : other).lease("a", { forMs: LONG_MS });
        assert(Number.isSafeInteger(lease.token) && lease.token > last, `${lease.token} after ${last}`);
        last = lease.token;
        if (turn % 2) await other.remove("a");
        await lease.release();
      }
    },
  },
  {
    id: "workspace-registry/lease/waiting",
    promise: "A waiting caller gets the lease when it is released, and not before.",
    seed: undefined,
    run: async ({ registry, other }) => {
      const held = await registry.lease("a", { forMs: LONG_MS });
      let isReleased = false;
      const waiting = Promise.allSettled(
        [registry, other, other].map(async (one) => {
          const lease = await one.lease("a", { forMs: LONG_MS, waitMs: Number.POSITIVE_INFINITY });
          assert(isReleased, "A caller got the lease before it was released.");
          await lease.release();
        }),
      );
      await delay(30);
      isReleased = true;
      await held.release();
      for (const outcome of await inTime(waiting, "The waiting"))
        if (outcome.status === "rejected") throw outcome.reason;
    },
  },
  {
    id: "workspace-registry/lease/patience",
    promise: "A waiting caller fails with CONFLICT once its `waitMs` has passed, and not before.",
    seed: undefined,
    run: async ({ registry, other }) => {
      await registry.lease("a", { forMs: LONG_MS });
      const time = passing(PATIENCE_MS);
      await inTime(
        failsWith(other.lease("a", { forMs: LONG_MS, waitMs: PATIENCE_MS }), "CONFLICT"),
        "The wait",
      );
      assert(await time.isOver(), "The call failed before `waitMs` had passed.");
    },
  },
  {
    id: "workspace-registry/lease/expired",
    promise: "A lease that is not renewed expires after its `forMs`, and not before.",
    seed: undefined,
    run: async ({ registry, other }) => {
      const time = passing(EXPIRY_MS);
      await registry.lease("a", { forMs: EXPIRY_MS });
      await inTime(other.lease("a", { forMs: LONG_MS, waitMs: LONG_MS }), "The takeover");
      assert(await time.isOver(), "The lease was taken over before it expired.");
    },
  },
  {
    id: "workspace-registry/lease/renewed",
    promise: "renew() returns true and extends the lease by its `forMs`.",
    seed: undefined,
    run: async ({ registry, other }) => {
      const lease = await registry.lease("a", { forMs: 1500 });
      const until = performance.now() + 1900;
      while (performance.now() < until) {
        assert.equal(await lease.renew(), true);
        await failsWith(other.lease("a", { forMs: LONG_MS }), "CONFLICT", "renewed");
        await delay(40);
      }
    },
  },
  {
    id: "workspace-registry/lease/lost",
    promise:
      "After another caller took an expired lease, renew() of the old holder returns false and its release() does nothing.",
    seed: undefined,
    run: async ({ registry, other }) => {
      const late = await registry.lease("a", { forMs: 20 });
      const held = await inTime(other.lease("a", { forMs: LONG_MS, waitMs: LONG_MS }), "The takeover");
      assert.equal(await late.renew(), false);
      await late.release();
      await failsWith(registry.lease("a", { forMs: LONG_MS }), "CONFLICT", "after the late release");
      assert.equal(await held.renew(), true);
      await held.release();
      assert.equal(await late.renew(), false);
    },
  },
  {
    id: "workspace-registry/lease/released",
    promise: "A released lease is free at once; a second release() does nothing, and renew() returns false.",
    seed: undefined,
    run: async ({ registry, other }) => {
      const first = await registry.lease("a", { forMs: LONG_MS });
      await first.release();
      const second = await other.lease("a", { forMs: LONG_MS });
      await first.release();
      assert.equal(await first.renew(), false);
      await failsWith(registry.lease("a", { forMs: LONG_MS }), "CONFLICT", "after a second release");
      await second.release();
    },
  },
  {
    id: "workspace-registry/lease/finish",
    promise:
      "Before an expired lease is taken over, `finish` is called with its note; after a release it is not called.",
    seed: undefined,
    run: async ({ registry, other }) => {
      const notes: string[] = [];
      const options = {
        forMs: LONG_MS,
        waitMs: LONG_MS,
        finish: async (note: string) => void notes.push(note),
      };
      await registry.lease("a", { forMs: 20, note: "the first" });
      const second = await inTime(other.lease("a", { ...options, note: "the second" }), "The takeover");
      assert.deepEqual(notes, ["the first"]);
      await second.release();
      const third = await registry.lease("a", { ...options, forMs: 20 });
      await inTime(other.lease("a", options), "The takeover of a lease without a note");
      assert.deepEqual(notes, ["the first"]);
      assert.equal(await third.renew(), false);
    },
  },
  {
    id: "workspace-registry/lease/left",
    promise: "A waiting caller whose signal is aborted fails with ABORTED and does not get the lease later.",
    seed: undefined,
    run: async ({ registry, other }) => {
      const held = await registry.lease("a", { forMs: LONG_MS });
      const leaving = new AbortController();
      const waiting = other.lease("a", { forMs: LONG_MS, waitMs: LONG_MS, signal: leaving.signal });
      const ended = failsWith(waiting, "ABORTED");
      await delay(10);
      leaving.abort();
      await inTime(ended, "The aborted wait");
      await held.release();
      await delay(30);
      await (await registry.lease("a", { forMs: LONG_MS })).release();
    },
  },
  {
    id: "workspace-registry/lease/records",
    promise:
      "Leases and records are independent: put(), touch() and remove() of the record leave the lease held.",
    seed: undefined,
    run: async ({ registry, other }) => {
      const lease = await registry.lease("a", { forMs: LONG_MS });
      assert.equal(await registry.get("a"), undefined);
      await other.put(record("a"));
      await other.touch("a");
      await other.remove("a");
      await failsWith(other.lease("a", { forMs: LONG_MS }), "CONFLICT", "after removing");
      await other.put(record("a"));
      await lease.release();
      assert.deepEqual(await registry.get("a"), record("a"));
    },
  },
  endsWhenAborted("workspace-registry/lease/aborted", undefined, ({ registry }, signal) =>
    registry.lease("a", { forMs: 1000, signal }),
  ),
];

/**
 * Uses a timer, not a clock: a clock keeps running while a busy machine suspends this process. Like any timer it may
 * fire slightly early. After a stall several timers are due at once, so the others run first.
 */
function passing(milliseconds: number): { isOver: () => Promise<boolean> } {
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, milliseconds - 2).unref();
  return {
    isOver: async () => {
      // A timer that is due is surely called between two of them.
      await setImmediate();
      await setImmediate();
      return isOver;
    },
  };
}
