import type { WorkspaceRuntime } from "@skillwright/core";
import { type LocalRuntimeOptions, localRuntime } from "@skillwright/runtime-local";

/**
 * The runtime of this command's own workspaces. It is the same in every folder, so that what a killed command left is removed by the
 * next one.
 */
export function commandRuntime(options: Pick<LocalRuntimeOptions, "isolation"> = {}): WorkspaceRuntime {
  return localRuntime({ ...options, namespace: "command" });
}
