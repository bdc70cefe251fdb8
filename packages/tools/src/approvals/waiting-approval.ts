import type { ToolResult } from "@skillwright/core";
import { isRefusalOutput } from "../tool-refusal.js";

/**
 * The id of the stored question for which the call waits; `undefined` for any other result. Nothing was done for such a
 * call: once the question is answered, the same call with the same id gets the answer.
 */
export function waitingApproval({
  isError,
  output,
}: Pick<ToolResult, "isError" | "output">): string | undefined {
  const approval = isError && isRefusalOutput(output) ? output.error["approval"] : undefined;
  return typeof approval === "string" ? approval : undefined;
}
