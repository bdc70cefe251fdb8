import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { SkillSeed } from "../seeds.js";
import type { TestFunction } from "../test-function.js";
import { atomicityPromises } from "./atomicity-promises.js";
import type { WritableRepositoryPromise, WritableRepositorySubject } from "./subject.js";
import { uploadRefusals } from "./upload-refusals.js";
import { uploadingPromises } from "./uploading-promises.js";

/** What every `WritableSkillRepository` promises beyond `skillRepositoryPromises`. */
export const writableSkillRepositoryPromises: readonly WritableRepositoryPromise[] = [
  ...uploadingPromises,
  ...uploadRefusals,
  ...atomicityPromises,
];

/** Registers one test for each promise of a writable repository. Run `testSkillRepository` as well. */
export function testWritableSkillRepository(
  test: TestFunction,
  create: CreateSubject<WritableRepositorySubject, SkillSeed>,
  options: ContractOptions = {},
): void {
  testContract(test, writableSkillRepositoryPromises, create, options);
}
