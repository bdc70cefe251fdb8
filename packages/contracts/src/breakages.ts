import assert from "node:assert/strict";
import { SkillError } from "@skillwright/core";
import { type ContractPromise, type CreateSubject, checkPromise } from "./contract.js";
import { withPatience } from "./in-time.js";
import type { TestFunction } from "./test-function.js";

/** A broken adapter may hang; that counts as detected. */
const PATIENCE_MS = 2000;

/** Functions that make a correct subject break one promise, by the promise's id. */
export type Breakages<Subject> = Readonly<Record<string, (subject: Subject) => Subject>>;

/**
 * Tests a contract suite itself. For each promise, an adapter that breaks exactly this promise must fail it. Every
 * promise needs such a breakage.
 */
export function testBreakages<Subject, Seed>(
  test: TestFunction,
  promises: readonly ContractPromise<Subject, Seed>[],
  breakages: Breakages<Subject>,
  create: CreateSubject<Subject, Seed>,
): void {
  const ids = promises.map(({ id }) => id);
  test(`${ids[0]} and the rest: every promise has a unique id and a broken adapter`, async () => {
    assert.deepEqual(Object.keys(breakages).sort(), [...ids].sort());
    assert.equal(new Set(ids).size, ids.length);
  });
  for (const promise of promises)
    test(`${promise.id}: fails for the adapter that breaks it`, async () => {
      const breakIt = breakages[promise.id] ?? assert.fail("`breakages` has no entry for this promise.");
      const checked = withPatience(PATIENCE_MS, () =>
        checkPromise(promise, async (seed) => {
          const subject = await create(seed);
          const { dispose } = subject;
          return { ...breakIt(subject), ...(dispose && { dispose }) };
        }),
      );
      await assert.rejects(checked, isFinding);
    });
}

/** Accepts only an assertion or a wrong `SkillError`, not any crash. */
function isFinding(error: unknown): boolean {
  return SkillError.is(error) || (error instanceof Error && error.name === "AssertionError");
}
