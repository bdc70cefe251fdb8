import type {
  ArtifactVersion,
  Diagnostic,
  JsonObject,
  JsonValue,
  SkillTool,
  StateDelta,
  ToolContext,
  ToolResult,
} from "@skillwright/core";
import { deepFreeze } from "@skillwright/core/adapter";
import type { z } from "zod";
import { checkInput } from "./input/check-input.js";
import { jsonSchema } from "./input/json-schema.js";
import { shownValue } from "./shown-value.js";
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
  /** True where a call with the key of an earlier one does nothing twice. */
  readonly repeatable?: boolean;
  /** Called once for each function, so that the agents of a process share one schema. */
  readonly input: () => Schema;
  /** Alternative names for fields, such as `{ skill: "name" }`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** An exception becomes a refusal. */
  run(input: z.infer<Schema>, context: ToolContext): Promise<ToolAnswer>;
}

/**
 * Creates a tool that validates its input, turns exceptions into refusals, and passes all texts through `shownText`.
 */
export function defineTool<Schema extends z.ZodType>(definition: ToolDefinition<Schema>): SkillTool {
  const { name, description, parallel, repeatable } = definition;
  const { schema, json: inputSchema } = schemasOf(definition.input);

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
        diagnostics: shownValue([...repairs, ...diagnostics]),
      };
    } catch (error) {
      return toolRefusal(error, name, repairs);
    }
  }

  return { name, description, inputSchema, parallel, ...(repeatable && { repeatable }), execute };
}

const known = new WeakMap<() => z.ZodType, { readonly schema: z.ZodType; readonly json: JsonObject }>();

function schemasOf<Schema extends z.ZodType>(input: () => Schema): { schema: Schema; json: JsonObject } {
  const before = known.get(input);
  if (before) return before as { schema: Schema; json: JsonObject };
  const schema = input();
  const made = { schema, json: deepFreeze(jsonSchema(schema)) };
  known.set(input, made);
  return made;
}
