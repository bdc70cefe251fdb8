import type { SkillTool, ToolResult } from "@skillwright/core";
import { z } from "zod";
import { outputText, type ToolCallOptions, toolCalls } from "../adapter/tool-calls.js";

/** The fields that `tool` of `@langchain/core/tools` takes besides the function. */
export interface LangChainToolFields {
  readonly name: string;
  readonly description: string;
  /** A schema for LangChain only: it accepts any input, while models see the tool's JSON Schema. */
  readonly schema: Record<string, unknown>;
  readonly responseFormat: "content_and_artifact";
}

/** The part of LangChain's call configuration that is read. */
export interface LangChainCallConfig {
  readonly signal?: AbortSignal | undefined;
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
}

/** Runs a call and returns the text for the model, and the whole result as the message's artifact. */
export type LangChainCall = (
  input: unknown,
  config?: LangChainCallConfig,
) => Promise<[content: string, artifact: ToolResult]>;

export interface LangChainToolsOptions<Made> extends ToolCallOptions {
  /** Creates the tool: `(run, fields) => tool(run, fields)` with `tool` of `@langchain/core/tools`. */
  readonly make: (run: LangChainCall, fields: LangChainToolFields) => Made;
}

/**
 * Converts the tools to LangChain tools with LangChain's own function, which the caller passes in; nothing of LangChain
 * is imported here. The model gets the output as text; `artifact` of the tool message is the whole result with its
 * state delta. The tools validate their input instead of LangChain, so that a slightly wrong field is repaired, and an
 * invalid one is answered with a refusal that says what is valid. Create one per conversation.
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

/**
 * A schema that accepts any input but converts to the given JSON Schema for a model. LangChain validates against both
 * JSON Schema and Zod; only Zod separates the two.
 */
function uncheckedSchema(jsonSchema: object): Record<string, unknown> {
  const schema = z.any();
  schema._zod.toJSONSchema = () => jsonSchema;
  return schema as unknown as Record<string, unknown>;
}
