import { type Diagnostic, SkillError } from "@skillwright/core";

/** @param workspaceId Missing where the failure is not about one workspace. */
export function policyFailed(workspaceId: string | undefined, error: unknown): Diagnostic {
  const where =
    workspaceId === undefined ? "The policies could not be evaluated" : `A policy failed for ${workspaceId}`;
  return {
    code: "policy.failed",
    severity: "warning",
    message: `${where}: ${SkillError.from(error, "The policy").message}`,
    hint:
      SkillError.is(error, "LIMIT_EXCEEDED") && "timeoutMs" in error.details
        ? "The policy is not asked again about this workspace until its function has settled. Find out why it hangs, or raise the timeout of policyLimits."
        : "It is tried again. If it keeps failing, check the runtime, the registry or the function of the policy.",
  };
}

export function pauseUnsupported(label: string): Diagnostic {
  return {
    code: "policy.pause-unsupported",
    severity: "warning",
    message: `A policy pauses idle workspaces, which the runtime "${label}" does not support.`,
    hint: "The action of pause({ otherwise }) is used instead; without one the workspace is kept. Use destroy() here.",
  };
}
