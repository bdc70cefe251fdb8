import { SkillError, type SkillTool, type ToolResult } from "@skillwright/core";
import { repeatedFailureGuard } from "@skillwright/tools";
import type { ModelCall } from "./model-step.js";
import { toolRefused } from "./tool-refused.js";

/** Finds the tool for a call; for a call that no tool accepts, a tool that refuses it. */
export type ToolOfCall = (call: ModelCall) => SkillTool;

/**
 * Wraps the tools of each step of one turn: none throws, and after the third refusal of one call it is not executed
 * again, as the diagnostic `call.repeated` reports. Create a new one for each turn, since a person may fix the problem in
 * between.
 */
export function callableTools(): (tools: ReadonlyMap<string, SkillTool>) => ToolOfCall {
  const guarded = repeatedFailureGuard();
  return (tools) =>
    ({ tool, problem }) => {
      const found = tools.get(tool);
      if (found && problem === undefined) return guarded(neverThrowing(found));
      const message = found
        ? `The input of ${tool} is no valid JSON: ${problem} Write it anew.`
        : `There is no tool "${tool}". The tools are: ${listed([...tools.keys()])}.`;
      return guarded(refusalOf(tool, message));
    };
}

/** True where the loop must end: one of these calls is no longer executed. */
export function isRepeated(results: readonly ToolResult[]): boolean {
  return results.some(({ diagnostics }) => diagnostics.some(({ code }) => code === "call.repeated"));
}

function neverThrowing(tool: SkillTool): SkillTool {
  return {
    ...tool,
    execute: async (input, context) => {
      try {
        return whole(await tool.execute(input, context));
      } catch (error) {
        // A tool passed in may throw nevertheless; the model gets the error and the turn continues.
        const { code, message } = SkillError.from(error, `The tool ${tool.name}`);
        return toolRefused(code, message, false);
      }
    },
  };
}

/** Adds the fields that a tool left out of its result. @throws an error for an output that cannot be stored as JSON. */
function whole(result: Partial<ToolResult> | undefined): ToolResult {
  if (result?.output === undefined || JSON.stringify(result.output) === undefined)
    throw new SkillError(
      "BACKEND_FAILED",
      "The tool returned no output. Its result needs an `output` that can be stored as JSON.",
    );
  return { isError: false, stateDelta: {}, artifacts: [], diagnostics: [], ...result, output: result.output };
}

function refusalOf(name: string, message: string): SkillTool {
  return {
    ...{ name, description: "", inputSchema: { type: "object" }, parallel: true },
    execute: async () => toolRefused("INPUT_INVALID", message, true),
  };
}

function listed(names: readonly string[]): string {
  return names.join(", ") || "none";
}
