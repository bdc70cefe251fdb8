import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { TestFunction } from "../test-function.js";
import { noticePromises } from "./notice-promises.js";
import type { IndexPromise, IndexSubject } from "./subject.js";
import { writingPromises } from "./writing-promises.js";

/** What every `MetadataIndex` promises. */
export const metadataIndexPromises: readonly IndexPromise[] = [...writingPromises, ...noticePromises];

/** Registers one test for each promise of `MetadataIndex`. `create` sets up an index that was never written. */
export function testMetadataIndex(
  test: TestFunction,
  create: CreateSubject<IndexSubject>,
  options: ContractOptions = {},
): void {
  testContract(test, metadataIndexPromises, create, options);
}
