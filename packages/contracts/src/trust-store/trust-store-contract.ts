import assert from "node:assert/strict";
import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { TestFunction } from "../test-function.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { DIGEST, digestOf, type TrustPromise, type TrustSubject } from "./subject.js";

/** What every `TrustStore` promises. */
export const trustStorePromises: readonly TrustPromise[] = [
  {
    id: "trust-store/allow/remembered",
    promise:
      "Nothing is allowed at first; allow() makes isAllowed() return true every time, and may be repeated.",
    seed: undefined,
    run: async ({ trust }) => {
      assert.equal(await trust.isAllowed(DIGEST, "project"), false);
      await trust.allow(DIGEST, "project");
      await trust.allow(DIGEST, "project");
      for (let again = 0; again < 2; again++) assert.equal(await trust.isAllowed(DIGEST, "project"), true);
    },
  },
  {
    id: "trust-store/allow/shared",
    promise: "An approval is visible in another store on the same storage.",
    seed: undefined,
    run: async ({ trust, other }) => {
      assert.equal(await other.isAllowed(DIGEST, "project"), false);
      await trust.allow(DIGEST, "project");
      assert.equal(await other.isAllowed(DIGEST, "project"), true);
    },
  },
  {
    id: "trust-store/allow/at-once",
    promise: "Approvals that two stores give at the same time are all kept.",
    seed: undefined,
    run: async ({ trust, other }) => {
      const all = [..."0123456789abcdef"].map(digestOf);
      await Promise.all(all.map((digest, index) => (index % 2 ? trust : other).allow(digest, "project")));
      for (const digest of all) assert.equal(await trust.isAllowed(digest, "project"), true, digest);
    },
  },
  {
    id: "trust-store/allow/that-content-only",
    promise: "An approval is valid for one digest and one source only, even if others are similar.",
    seed: undefined,
    run: async ({ trust }) => {
      await trust.allow(DIGEST, "a/b");
      const sources = ["", "a", "b", "A/B", "a/b/", "./a/b", "../a/b", "a/b\n", "a", `${DIGEST}`];
      for (const source of sources)
        assert.equal(await trust.isAllowed(DIGEST, source), false, JSON.stringify(source));
      const digests = [digestOf("b"), DIGEST.toUpperCase(), DIGEST.slice(0, -1), `${DIGEST}a`, "", "a/b"];
      for (const digest of digests)
        assert.equal(await trust.isAllowed(digest, "a/b"), false, JSON.stringify(digest));
      await trust.allow(`${DIGEST}x`, "y");
      assert.equal(await trust.isAllowed(DIGEST, "xy"), false);
    },
  },
  endsWhenAborted("trust-store/is-allowed/aborted", undefined, ({ trust }, signal) =>
    trust.isAllowed(DIGEST, "project", { signal }),
  ),
  endsWhenAborted("trust-store/allow/aborted", undefined, ({ trust }, signal) =>
    trust.allow(DIGEST, "project", { signal }),
  ),
];

/** Registers one test for each promise of `TrustStore`. `create` sets up a fresh, empty store. */
export function testTrustStore(
  test: TestFunction,
  create: CreateSubject<TrustSubject>,
  options: ContractOptions = {},
): void {
  testContract(test, trustStorePromises, create, options);
}
