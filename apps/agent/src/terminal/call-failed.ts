import type { AgentEvent } from "@skillwright/agent";

/** True for a call that was refused, or whose command failed or did not end. */
export function callFailed({ isError, output }: Extract<AgentEvent, { type: "tool.response" }>): boolean {
  const { exit_code: exitCode, timed_out: timedOut } = Object(output) as Record<string, unknown>;
  return isError || timedOut === true || (typeof exitCode === "number" && exitCode !== 0);
}
