import type { WorkspaceRun } from "@skillwright/core";
import type { RequestedOutputs } from "./requested-outputs.js";
import type { RunFields } from "./run-fields.js";

/** Converts the call's fields for the workspace. Seconds become milliseconds; a timeout of 0 means the default. */
export function workspaceRunOf(fields: RunFields, { outputs }: RequestedOutputs): WorkspaceRun {
  const { command, cwd, env, stdin, editor_text: editorText, timeout, inputs } = fields;
  return {
    command,
    cwd,
    env,
    stdin,
    editorText,
    timeoutMs: timeout ? timeout * 1000 : undefined,
    inputs,
    outputs,
  };
}
