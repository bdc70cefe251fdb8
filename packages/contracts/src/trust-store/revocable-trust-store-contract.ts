import assert from "node:assert/strict";
import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { TestFunction } from "../test-function.js";
import { endsWhenAborted } from "../traits/aborted.js";
import { closesTwice } from "../traits/closing.js";
import { DIGEST, type RevocableTrustPromise, type RevocableTrustSubject } from "./subject.js";

/** What every `RevocableTrustStore` promises beyond `trustStorePromises`. */
export const revocableTrustStorePromises: readonly RevocableTrustPromise[] = [
  {
    id: "revocable-trust-store/revoke/forgotten",
    promise: "A revoked approval is no longer valid in any store on the same storage.",
    seed: undefined,
    run: async ({ trust, other }) => {
      await trust.allow(DIGEST, "project");
      assert.equal(await trust.revoke(DIGEST, "project"), true);
      for (const store of [trust, other]) assert.equal(await store.isAllowed(DIGEST, "project"), false);
    },
  },
  {
    id: "revocable-trust-store/revoke/only-that",
    promise: "Revoking one approval leaves the others, and the revoked one can be given again.",
    seed: undefined,
    run: async ({ trust }) => {
      for (const source of ["project", "own"]) await trust.allow(DIGEST, source);
      await trust.revoke(DIGEST, "project");
      assert.equal(await trust.isAllowed(DIGEST, "own"), true);
      await trust.allow(DIGEST, "project");
      assert.equal(await trust.isAllowed(DIGEST, "project"), true);
    },
  },
  {
    id: "revocable-trust-store/revoke/none",
    promise: "revoke() returns false if there is no such approval.",
    seed: undefined,
    run: async ({ trust }) => {
      assert.equal(await trust.revoke(DIGEST, "project"), false);
      await trust.allow(DIGEST, "project");
      await trust.revoke(DIGEST, "project");
      assert.equal(await trust.revoke(DIGEST, "project"), false);
    },
  },
  endsWhenAborted("revocable-trust-store/revoke/aborted", undefined, ({ trust }, signal) =>
    trust.revoke(DIGEST, "project", { signal }),
  ),
  closesTwice("revocable-trust-store/close/twice", undefined, ({ trust }) => trust),
];

/** Registers one test for each promise of a revocable trust store. Run `testTrustStore` as well. */
export function testRevocableTrustStore(
  test: TestFunction,
  create: CreateSubject<RevocableTrustSubject>,
  options: ContractOptions = {},
): void {
  testContract(test, revocableTrustStorePromises, create, options);
}
