import {
  type ArtifactVersion,
  type Diagnostic,
  type JsonValue,
  type SkillTool,
  type StateDelta,
  shownDiagnostic,
  shownValue,
  type ToolContext,
  type ToolResult,
} from "@skillwright/core";
import type { z } from "zod";
import { checkInput } from "./input/check-input.js";
import { jsonSchema } from "./input/json-schema.js";
import { toolRefusal } from "./tool-refusal.js";

export interface ToolAnswer {
  readonly output: JsonValue;
  readonly stateDelta?: StateDelta;
  readonly artifacts?: readonly ArtifactVersion[];
  readonly diagnostics?: readonly Diagnostic[];
}

export interface ToolDefinition<Schema extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly parallel: boolean;
  readonly input: Schema;
  /** Other names under which a field is taken too, such as `{ skill: "name" }`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** What it throws becomes a refusal. */
  run(input: z.infer<Schema>, context: ToolContext): Promise<ToolAnswer>;
}

/** The tool with its input checked, everything thrown turned into a refusal, and all texts as `shownText` gives them. */
export function defineTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): SkillTool {
  const { name, description, parallel, input: schema } = definition;
  const inputSchema = jsonSchema(schema);

  async function execute(given: unknown, context: ToolContext): Promise<ToolResult> {
    let repairs: readonly Diagnostic[] = [];
    try {
      const checked = checkInput(schema, inputSchema, given, definition.aliases);
      repairs = checked.diagnostics;
      const answer = await definition.run(checked.input, context);
      const { output, stateDelta = {}, artifacts = [], diagnostics = [] } = answer;
      return {
        output: shownValue(output),
        isError: false,
        stateDelta,
        artifacts,
        diagnostics: [...repairs, ...diagnostics].map(shownDiagnostic),
      };
    } catch (error) {
      return toolRefusal(error, name, repairs);
    }
  }

  return { name, description, inputSchema, parallel, execute };
}
