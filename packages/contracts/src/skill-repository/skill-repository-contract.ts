import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { SkillSeed } from "../seeds.js";
import type { TestFunction } from "../test-function.js";
import { changePromises } from "./change-promises.js";
import { findingPromises } from "./finding-promises.js";
import { listingPromises } from "./listing-promises.js";
import { loadingPromises } from "./loading-promises.js";
import { openingPromises } from "./opening-promises.js";
import { readingPromises } from "./reading-promises.js";
import type { RepositoryPromise, RepositorySubject } from "./subject.js";

/** What every `SkillRepository` promises. The promises of `reader` fail where it is missing: skip them by id. */
export const skillRepositoryPromises: readonly RepositoryPromise[] = [
  ...listingPromises,
  ...changePromises,
  ...findingPromises,
  ...loadingPromises,
  ...openingPromises,
  ...readingPromises,
];

/**
 * Registers one test for each promise of `SkillRepository`. `create` sets up a fresh repository that contains the seed.
 * Works with any test runner: `testSkillRepository(test, async (seed) => ({ ... }))`.
 */
export function testSkillRepository(
  test: TestFunction,
  create: CreateSubject<RepositorySubject, SkillSeed>,
  options: ContractOptions = {},
): void {
  testContract(test, skillRepositoryPromises, create, options);
}
