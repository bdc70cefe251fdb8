import type { JSONValue } from "@ai-sdk/provider";
import type { SessionState } from "@skillwright/core";
import { loadedNames } from "@skillwright/injector";
import type { ModelMessage } from "ai";
import type { AnsweredCall } from "./run-tool-calls.js";

/**
 * The results of one step for the history.
 *
 * @param bodiesInSystem True where the system prompt contains the bodies of loaded skills, so that results do not.
 */
export function toolMessage(calls: readonly AnsweredCall[], bodiesInSystem: boolean): ModelMessage {
  return {
    role: "tool",
    content: calls.map(({ id, tool, result }) => ({
      type: "tool-result",
      toolCallId: id,
      toolName: tool,
      output:
        bodiesInSystem && isLoad(result) ? { type: "text" as const, value: IN_SYSTEM } : resultOutput(result),
    })),
  };
}

function isLoad({ isError, output, stateDelta }: AnsweredCall["result"]): boolean {
  const set = Object.fromEntries(Object.entries(stateDelta).filter(([, value]) => value !== null));
  return !isError && typeof output === "string" && loadedNames(set as SessionState).length > 0;
}

const IN_SYSTEM = "Loaded. Its instructions stand in the system prompt.";

function resultOutput({ output, isError }: AnsweredCall["result"]) {
  if (typeof output === "string")
    return { type: isError ? ("error-text" as const) : ("text" as const), value: output };
  return { type: isError ? ("error-json" as const) : ("json" as const), value: output as JSONValue };
}
