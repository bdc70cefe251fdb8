import { type CallOptions, type Diagnostic, SkillError, type WorkspaceRuntime } from "@skillwright/core";

/** True where the runtime has a workspace with that id, even a damaged one. */
export async function exists(
  runtime: WorkspaceRuntime,
  id: string,
  { signal }: CallOptions = {},
): Promise<boolean> {
  try {
    return (await runtime.attach(id, { signal })) !== undefined;
  } catch (error) {
    if (SkillError.is(error, "WORKSPACE_DAMAGED")) return true;
    throw error;
  }
}

/** Describes a damaged workspace; `undefined` for any other error. */
export function damagedWorkspace(error: unknown): Diagnostic | undefined {
  if (!SkillError.is(error, "WORKSPACE_DAMAGED")) return undefined;
  return {
    code: "workspace.damaged",
    severity: "error",
    message: error.message,
    hint: "repair(id) keeps the files and stages skills again; destroy(id) removes the workspace.",
  };
}
