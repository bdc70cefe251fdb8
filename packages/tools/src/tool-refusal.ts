import {
  type Diagnostic,
  type JsonObject,
  SkillError,
  type SkillErrorCode,
  type ToolResult,
} from "@skillwright/core";
import { shownText } from "@skillwright/core/adapter";
import { shownValue } from "./shown-value.js";

/** Codes after which the same tool may succeed: with other input, or later. */
const WORTH_A_RETRY: ReadonlySet<SkillErrorCode> = new Set([
  "SKILL_NOT_FOUND",
  "FILE_NOT_FOUND",
  "PATH_INVALID",
  "PATH_OUTSIDE",
  "INPUT_INVALID",
  "LIMIT_EXCEEDED",
  "DIGEST_MISMATCH",
  "WORKSPACE_NOT_FOUND",
  "ARTIFACT_NOT_FOUND",
  "CONFLICT",
  "BACKEND_FAILED",
]);

/**
 * Converts anything thrown to an answer for the model; a tool never throws. `details.retry` of the error takes
 * precedence.
 */
export function toolRefusal(
  error: unknown,
  tool: string,
  diagnostics: readonly Diagnostic[] = [],
): ToolResult {
  const { code, message, details = {} } = SkillError.from(error, tool);
  const retry = typeof details["retry"] === "boolean" ? details["retry"] : WORTH_A_RETRY.has(code);
  return {
    output: { error: { code, message: shownText(message), retry, ...waiting(details) } },
    isError: true,
    stateDelta: {},
    artifacts: [],
    diagnostics: shownValue(diagnostics),
  };
}

/** The id of the stored question that a call waits for. */
function waiting({ approval }: Readonly<Record<string, unknown>>): JsonObject {
  return typeof approval === "string" ? { approval } : {};
}

/** True for the output of a refusal. */
export function isRefusalOutput(output: unknown): output is { readonly error: JsonObject } {
  const error = (output as { error?: { code?: unknown; message?: unknown; retry?: unknown } } | null)?.error;
  return (
    typeof error?.code === "string" && typeof error.message === "string" && typeof error.retry === "boolean"
  );
}
