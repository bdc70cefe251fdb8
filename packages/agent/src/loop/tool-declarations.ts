import type { SkillTool } from "@skillwright/core";
import { jsonSchema, type ToolSet, tool } from "ai";
import { wellFormed } from "./accepted-messages.js";

/** The tools as the SDK declares them to a model: without `execute`, because the loop runs them. */
export function toolDeclarations(tools: Iterable<SkillTool>): ToolSet {
  return Object.fromEntries(
    [...tools].map(({ name, description, inputSchema }) => [
      name,
      tool({
        description: description.toWellFormed(),
        inputSchema: jsonSchema(wellFormed(inputSchema) as Parameters<typeof jsonSchema>[0]),
      }),
    ]),
  );
}
