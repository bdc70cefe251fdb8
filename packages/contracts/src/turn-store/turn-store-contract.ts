import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { TestFunction } from "../test-function.js";
import { keepingPromises } from "./keeping-promises.js";
import { logPromises } from "./log-promises.js";
import type { TurnPromise, TurnSubject } from "./subject.js";

/** What every `TurnStore` promises. */
export const turnStorePromises: readonly TurnPromise[] = [...keepingPromises, ...logPromises];

/** Registers one test for each promise of `TurnStore`. `create` sets up a fresh, empty store with two handles. */
export function testTurnStore(
  test: TestFunction,
  create: CreateSubject<TurnSubject>,
  options: ContractOptions = {},
): void {
  testContract(test, turnStorePromises, create, options);
}
