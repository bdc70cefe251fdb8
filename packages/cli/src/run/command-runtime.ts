import type { WorkspaceRuntime } from "@skillwright/core";
import { type LocalRuntimeOptions, localRuntime } from "@skillwright/runtime-local";

/**
 * The runtime of `skillwright` itself, for workspaces that end with a command. Its workspaces are the same in every folder, so that the
 * next command removes what a killed one has left.
 */
export function commandRuntime(options: Pick<LocalRuntimeOptions, "isolation"> = {}): WorkspaceRuntime {
  return localRuntime({ ...options, namespace: "command" });
}
