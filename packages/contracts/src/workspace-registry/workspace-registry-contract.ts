import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { TestFunction } from "../test-function.js";
import { leasePromises } from "./lease-promises.js";
import { recordPromises } from "./record-promises.js";
import type { RegistryPromise, RegistrySubject } from "./subject.js";

/** What every `WorkspaceRegistry` promises. */
export const workspaceRegistryPromises: readonly RegistryPromise[] = [...recordPromises, ...leasePromises];

/** Registers one test for each promise of `WorkspaceRegistry`. `create` sets up a fresh, empty registry. */
export function testWorkspaceRegistry(
  test: TestFunction,
  create: CreateSubject<RegistrySubject>,
  options: ContractOptions = {},
): void {
  testContract(test, workspaceRegistryPromises, create, options);
}
