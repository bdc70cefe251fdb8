import type { JsonObject, SkillTool } from "@skillwright/core";
import { outputText, type ToolCallOptions, toolCalls } from "./tool-calls.js";

/** A tool of one conversation: what an SDK's own function for defining tools takes. */
export interface CallableTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object; a copy, which the SDK may change. */
  readonly inputSchema: JsonObject;
  /** Returns text for the model, refusals included; rejects only where `context` does. Accepts the input as JSON text, too. */
  execute(
    input: unknown,
    call?: { readonly callId?: string | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<string>;
}

/**
 * Converts the tools for an SDK that has no adapter of its own here. Tools that change something run one after the other
 * in the order of their calls; the others run in parallel. Create one list per conversation.
 */
export function callableTools(tools: readonly SkillTool[], options: ToolCallOptions): CallableTool[] {
  const call = toolCalls(tools, options);
  return tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema: structuredClone(inputSchema),
    execute: async (input, { callId = "", signal } = {}) =>
      outputText(await call(name, callId, input, signal)),
  }));
}
