import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { TestFunction } from "../test-function.js";
import { changingPromises } from "./changing-promises.js";
import { keepingPromises } from "./keeping-promises.js";
import type { SessionPromise, SessionSubject } from "./subject.js";

/** What every `SessionStore` promises. */
export const sessionStorePromises: readonly SessionPromise[] = [...changingPromises, ...keepingPromises];

/** Registers one test for each promise of `SessionStore`. `create` sets up a fresh, empty store. */
export function testSessionStore(
  test: TestFunction,
  create: CreateSubject<SessionSubject>,
  options: ContractOptions = {},
): void {
  testContract(test, sessionStorePromises, create, options);
}
