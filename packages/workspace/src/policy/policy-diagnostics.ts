import { type Diagnostic, SkillError } from "@skillwright/core";

/** @param workspaceId Missing where the failure is not about one workspace. */
export function policyFailed(workspaceId: string | undefined, error: unknown): Diagnostic {
  const where =
    workspaceId === undefined ? "The policies could not be asked" : `A policy failed for ${workspaceId}`;
  return {
    code: "policy.failed",
    severity: "warning",
    message: `${where}: ${SkillError.from(error, "The policy").message}`,
    hint: "It is tried again; see to the runtime, the registry or the policy's own function if it keeps failing.",
  };
}

export function pauseUnsupported(label: string): Diagnostic {
  return {
    code: "policy.pause-unsupported",
    severity: "warning",
    message: `A policy asks to pause idle workspaces, which the runtime "${label}" cannot do.`,
    hint: "What pause({ otherwise }) names is done instead; without it the workspace is kept. Use destroy() here.",
  };
}
