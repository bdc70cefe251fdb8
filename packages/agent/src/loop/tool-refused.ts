import type { ToolResult } from "@skillwright/core";

/** The answer to a call that was not executed, or that failed. */
export function toolRefused(code: string, message: string, retry: boolean): ToolResult {
  return {
    output: { error: { code, message, retry } },
    isError: true,
    stateDelta: {},
    artifacts: [],
    diagnostics: [],
  };
}
