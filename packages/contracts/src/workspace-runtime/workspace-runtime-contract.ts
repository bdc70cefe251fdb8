import { type ContractOptions, type CreateSubject, testContract } from "../contract.js";
import type { TestFunction } from "../test-function.js";
import { endingPromises } from "./ending-promises.js";
import { environmentPromises } from "./environment-promises.js";
import { filePromises } from "./file-promises.js";
import { inputOutputPromises } from "./input-output-promises.js";
import { lifecyclePromises } from "./lifecycle-promises.js";
import { limitPromises } from "./limit-promises.js";
import { linkPromises } from "./link-promises.js";
import { manyPromises } from "./many-promises.js";
import { recordedPromises } from "./recorded-promises.js";
import { removalPromises } from "./removal-promises.js";
import { runningPromises } from "./running-promises.js";
import { skillCopyPromises } from "./skill-copy-promises.js";
import { stagingPromises } from "./staging-promises.js";
import type { RuntimePromise, RuntimeSubject } from "./subject.js";

/**
 * What every `WorkspaceRuntime` promises. Promises about a capability fail where it is not claimed, and those about
 * `link`, `remove` and `getMany` fail where the workspace has no such method: skip them by id.
 */
export const workspaceRuntimePromises: readonly RuntimePromise[] = [
  ...lifecyclePromises,
  ...filePromises,
  ...manyPromises,
  ...linkPromises,
  ...removalPromises,
  ...stagingPromises,
  ...skillCopyPromises,
  ...runningPromises,
  ...environmentPromises,
  ...inputOutputPromises,
  ...endingPromises,
  ...limitPromises,
  ...recordedPromises,
];

/**
 * Registers one test for each promise of `WorkspaceRuntime`. `create` sets up two runtimes on the same fresh, empty
 * storage.
 */
export function testWorkspaceRuntime(
  test: TestFunction,
  create: CreateSubject<RuntimeSubject>,
  options: ContractOptions = {},
): void {
  testContract(test, workspaceRuntimePromises, create, options);
}
