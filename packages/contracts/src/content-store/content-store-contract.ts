import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { TestFunction } from "../test-function.js";
import { findingPromises } from "./finding-promises.js";
import { leasingPromises } from "./leasing-promises.js";
import { materializingPromises } from "./materializing-promises.js";
import { refusingPromises } from "./refusing-promises.js";
import type { ContentPromise, ContentSubject } from "./subject.js";

/** What every `ContentStore` promises. */
export const contentStorePromises: readonly ContentPromise[] = [
  ...materializingPromises,
  ...refusingPromises,
  ...leasingPromises,
  ...findingPromises,
];

/**
 * Registers one test for each promise of `ContentStore`. `create` sets up two stores on the same fresh, empty storage.
 */
export function testContentStore(
  test: TestFunction,
  create: CreateSubject<ContentSubject>,
  options: ContractOptions = {},
): void {
  testContract(test, contentStorePromises, create, options);
}
