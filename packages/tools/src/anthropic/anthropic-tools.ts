import type { SkillTool } from "@skillwright/core";
import { outputText, type ToolCallOptions, toolCalls } from "../adapter/tool-calls.js";

/** A tool for `messages.create` and, with its functions, for `beta.messages.toolRunner`. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { type: "object"; [field: string]: unknown };
  /** A function, which is left out when the tool is sent as JSON. */
  run(
    input: unknown,
    context?: {
      readonly toolUse?: { readonly id: string };
      readonly signal?: AbortSignal | null | undefined;
    },
  ): Promise<string>;
  /** Accepts every input: the tool itself validates it and answers the model. */
  parse(input: unknown): unknown;
}

export interface AnthropicToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: boolean;
}

/** The part of a content block that is read. */
export interface AnthropicBlock {
  readonly type: string;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly input?: unknown;
}

export interface AnthropicTools {
  readonly tools: AnthropicTool[];
  /**
   * Returns the user message with a result for each tool call among the blocks, in order; `undefined` where there is
   * none.
   */
  answer(
    content: readonly AnthropicBlock[],
    options?: { signal?: AbortSignal },
  ): Promise<{ role: "user"; content: AnthropicToolResult[] } | undefined>;
}

/**
 * Converts the tools for the Messages API of `@anthropic-ai/sdk`, and answers their calls, without importing that
 * package. Refusals are results with `is_error`. Create one per conversation.
 */
export function anthropicTools(tools: readonly SkillTool[], options: ToolCallOptions): AnthropicTools {
  const call = toolCalls(tools, options);

  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: { ...structuredClone(inputSchema), type: "object" },
      run: async (input, { toolUse, signal } = {}) =>
        outputText(await call(name, toolUse?.id ?? "", input, signal)),
      parse: (input) => input,
    })),
    async answer(content, { signal } = {}) {
      const calls = content.filter(({ type }) => type === "tool_use");
      if (calls.length === 0) return undefined;
      const results = calls.map(async ({ id, name, input }): Promise<AnthropicToolResult> => {
        const result = await call(String(name), String(id), input, signal);
        return {
          type: "tool_result",
          tool_use_id: String(id),
          content: outputText(result),
          ...(result.isError ? { is_error: true } : {}),
        };
      });
      return { role: "user", content: await Promise.all(results) };
    },
  };
}
