import type { SkillTool } from "@skillwright/core";
import { type ToolCall, type ToolCallOptions, toolCalls } from "../adapter/tool-calls.js";
import { type AiSdkModelOutput, aiSdkModelOutput } from "./ai-sdk-model-output.js";
import { type AiSdkSchema, aiSdkSchema } from "./ai-sdk-schema.js";

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
