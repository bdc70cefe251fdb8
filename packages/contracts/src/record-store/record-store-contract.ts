import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { TestFunction } from "../test-function.js";
import { listPromises } from "./list-promises.js";
import { logPromises } from "./log-promises.js";
import { recordPromises } from "./record-promises.js";
import type { RecordPromise, RecordSubject } from "./subject.js";

/** What every `RecordStore` promises. */
export const recordStorePromises: readonly RecordPromise[] = [
  ...recordPromises,
  ...listPromises,
  ...logPromises,
];

/** Registers one test for each promise of `RecordStore`. `create` sets up a fresh, empty store with two handles. */
export function testRecordStore(
  test: TestFunction,
  create: CreateSubject<RecordSubject>,
  options: ContractOptions = {},
): void {
  testContract(test, recordStorePromises, create, options);
}
