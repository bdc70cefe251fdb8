import type { JsonObject, SkillTool } from "@skillwright/core";
import { type ToolCall, type ToolCallOptions, toolCalls } from "../adapter/tool-calls.js";
import { isRefusalOutput } from "../tool-refusal.js";

/** One tool call by the AI SDK. */
export type AiSdkCall = ToolCall;

export type AiSdkToolsOptions = ToolCallOptions;

/** A tool for `generateText`, `streamText` and agents of `ai` 6 and 7. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: AiSdkSchema;
  execute(
    input: unknown,
    options: { readonly toolCallId: string; readonly abortSignal?: AbortSignal | undefined },
  ): Promise<unknown>;
  /** Returns text as text, refusals as errors, anything else as JSON. */
  toModelOutput(options: { readonly output: unknown }): AiSdkModelOutput;
}

/**
 * Converts the tools to a tool set of the AI SDK, by name, without importing `ai`. The tools validate their input, so
 * that a wrong field is answered with a refusal that says what is valid. Tools that change something run one after the
 * other in the order of their calls; the others run in parallel. Create one tool set per conversation.
 */
export function aiSdkTools(
  tools: readonly SkillTool[],
  options: AiSdkToolsOptions,
): Record<string, AiSdkTool> {
  const call = toolCalls(tools, options);
  const converted = ({ name, description, inputSchema }: SkillTool): AiSdkTool => ({
    description,
    inputSchema: aiSdkSchema(inputSchema),
    execute: async (input, { toolCallId, abortSignal }) =>
      (await call(name, toolCallId, input, abortSignal)).output,
    toModelOutput: ({ output }) => aiSdkModelOutput(output),
  });
  return Object.fromEntries(tools.map((tool) => [tool.name, converted(tool)]));
}

/** JSON as the AI SDK types it. */
type AiSdkJson = string | number | boolean | null | AiSdkJson[] | { [key: string]: AiSdkJson };

type AiSdkModelOutput = { type: "text"; value: string } | { type: "json" | "error-json"; value: AiSdkJson };

/** The form in which an output is passed to the model. */
function aiSdkModelOutput(output: unknown): AiSdkModelOutput {
  if (typeof output === "string") return { type: "text", value: output };
  return { type: isRefusalOutput(output) ? "error-json" : "json", value: (output ?? null) as AiSdkJson };
}

/** A JSON Schema in the form of Standard JSON Schema, which `ai` 6 and 7 read directly. */
interface AiSdkSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "skillwright";
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

/** Accepts every value: the tool itself validates the input and answers the model. */
function aiSdkSchema(schema: JsonObject): AiSdkSchema {
  // Copied each time, because the AI SDK modifies the schema.
  const copy = () => structuredClone(schema) as Record<string, unknown>;
  return {
    "~standard": {
      version: 1,
      vendor: "skillwright",
      validate: (value) => ({ value }),
      jsonSchema: { input: copy, output: copy },
    },
  };
}
