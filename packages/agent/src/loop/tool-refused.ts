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

/** The answer to a call whose process ended, and that must not be made again. */
export function outcomeUnknown(): ToolResult {
  return toolRefused("BACKEND_FAILED", UNKNOWN, false);
}

const UNKNOWN =
  "The process ended while this call ran, so its outcome is unknown. Look at what it left before you do anything again.";
