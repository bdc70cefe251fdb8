import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { SkillSeed } from "../seeds.js";
import type { TestFunction } from "../test-function.js";
import type { VersionedRepositoryPromise, VersionedRepositorySubject } from "./subject.js";
import { versionPromises } from "./version-promises.js";

/**
 * What a repository promises that keeps versions of its uploads. The promise about `reader` fails where that is
 * missing: skip it by id.
 */
export const versionedSkillRepositoryPromises: readonly VersionedRepositoryPromise[] = versionPromises;

/** Registers one test for each promise about versions. Run the suites of `SkillRepository` and of writing as well. */
export function testVersionedSkillRepository(
  test: TestFunction,
  create: CreateSubject<VersionedRepositorySubject, SkillSeed>,
  options: ContractOptions = {},
): void {
  testContract(test, versionedSkillRepositoryPromises, create, options);
}
