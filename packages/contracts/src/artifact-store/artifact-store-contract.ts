import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { TestFunction } from "../test-function.js";
import { readingPromises } from "./reading-promises.js";
import { savingPromises } from "./saving-promises.js";
import type { ArtifactPromise, ArtifactSubject } from "./subject.js";

/** What every `ArtifactStore` promises. */
export const artifactStorePromises: readonly ArtifactPromise[] = [...savingPromises, ...readingPromises];

/** Registers one test for each promise of `ArtifactStore`. `create` sets up a fresh, empty store. */
export function testArtifactStore(
  test: TestFunction,
  create: CreateSubject<ArtifactSubject>,
  options: ContractOptions = {},
): void {
  testContract(test, artifactStorePromises, create, options);
}
