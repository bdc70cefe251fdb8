import type { SkillTool, ToolResult } from "@skillwright/core";
import { outputText, type ToolCallOptions, toolCalls } from "../adapter/tool-calls.js";
import { uncheckedSchema } from "./unchecked-schema.js";

/** What `tool` of `@langchain/core/tools` is given beside the function. */
export interface LangChainToolFields {
  readonly name: string;
  readonly description: string;
  /** For LangChain alone: it accepts any input, and models are shown the tool's JSON Schema. */
  readonly schema: Record<string, unknown>;
  readonly responseFormat: "content_and_artifact";
}

/** What is read of the configuration that LangChain hands to a call. */
export interface LangChainCallConfig {
  readonly signal?: AbortSignal | undefined;
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
}

/** What runs a call: the text for the model, and the whole result as the message's artifact. */
export type LangChainCall = (
  input: unknown,
  config?: LangChainCallConfig,
) => Promise<[content: string, artifact: ToolResult]>;

export interface LangChainToolsOptions<Made> extends ToolCallOptions {
  /** Makes the tool: `(run, fields) => tool(run, fields)` with `tool` of `@langchain/core/tools`. */
  readonly make: (run: LangChainCall, fields: LangChainToolFields) => Made;
}

/**
 * The tools as LangChain's own, made by its own function, which is handed in; nothing of LangChain is imported here. The model
 * gets the output as text; `artifact` of the tool message is the whole result with its state delta. Input is checked by the
 * tools and not by LangChain, so that a field that is slightly off is repaired, and a wrong one comes back to the model as a
 * refusal that says what is valid. Make one a conversation.
 */
export function langChainTools<Made>(
  tools: readonly SkillTool[],
  { make, ...options }: LangChainToolsOptions<Made>,
): Made[] {
  const call = toolCalls(tools, options);
  return tools.map(({ name, description, inputSchema }) =>
    make(
      async (input, { signal, toolCall } = {}) => {
        const result = await call(name, toolCall?.id ?? "", input, signal);
        return [outputText(result), result];
      },
      {
        name,
        description,
        schema: uncheckedSchema(structuredClone(inputSchema)),
        responseFormat: "content_and_artifact",
      },
    ),
  );
}
