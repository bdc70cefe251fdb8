import type { SkillTool } from "@skillwright/core";
import { type ToolCall, type ToolCallOptions, toolCalls } from "../adapter/tool-calls.js";
import { type AiSdkModelOutput, aiSdkModelOutput } from "./ai-sdk-model-output.js";
import { type AiSdkSchema, aiSdkSchema } from "./ai-sdk-schema.js";

/** One call of a tool as the AI SDK makes it. */
export type AiSdkCall = ToolCall;

export type AiSdkToolsOptions = ToolCallOptions;

/** A tool as `generateText`, `streamText` and agents of `ai` 6 and 7 take it. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: AiSdkSchema;
  execute(
    input: unknown,
    options: { readonly toolCallId: string; readonly abortSignal?: AbortSignal | undefined },
  ): Promise<unknown>;
  /** Text as text, refusals as errors, anything else as JSON. */
  toModelOutput(options: { readonly output: unknown }): AiSdkModelOutput;
}

/**
 * The tools as a tool set of the AI SDK, by name. Needs nothing of `ai` itself. Input is checked by the tools, so that
 * a wrong field comes back to the model as a refusal that says what is valid. Tools that change something run one after
 * the other in the order of their calls; the others run at once. Make one tool set a conversation.
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
