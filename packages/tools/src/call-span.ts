import type { SkillTool } from "@skillwright/core";
import { withSpan } from "@skillwright/core/adapter";
import { isRefusalOutput } from "./tool-refusal.js";

/** Wraps each call of the tool in a span with the tool's name, and the code of a refusal. */
export function withCallSpan(tool: SkillTool): SkillTool {
  return {
    ...tool,
    execute: (input, context) =>
      withSpan("tool.call", { tool: tool.name }, async (set) => {
        const result = await tool.execute(input, context);
        const { output, isError } = result;
        const code = isError && isRefusalOutput(output) ? output.error["code"] : undefined;
        set({ isError, ...(typeof code === "string" && { "error.type": code }) });
        return result;
      }),
  };
}
