import { SkillError, type SkillTool, type ToolContext, type ToolResult } from "@skillwright/core";
import { taskQueue } from "@skillwright/core/adapter";
import { toolRefusal } from "../tool-refusal.js";

/** One tool call by a model. */
export interface ToolCall {
  readonly toolName: string;
  /** The model server's id of the call. Empty where an SDK does not provide it. */
  readonly toolCallId: string;
  /** Counted from 0 over all calls, in order of arrival. */
  readonly order: number;
  /** The signal passed with the call. */
  readonly abortSignal?: AbortSignal | undefined;
}

export interface ToolCallOptions {
  /** Returns session and state for each call. If it returns no signal, the call's own is used. */
  readonly context: (call: ToolCall) => ToolContext | Promise<ToolContext>;
  /**
   * Receives every result, refusals included, when it arrives. Apply state deltas in the order of `call.order`, not of
   * arrival: parallel calls finish in any order.
   */
  readonly onResult?: ((call: ToolCall, result: ToolResult) => void) | undefined;
}

/** Makes one call, with the input as the model wrote it; JSON text is accepted too. */
export type CallTool = (
  toolName: string,
  toolCallId: string,
  input: unknown,
  signal?: AbortSignal | null | undefined,
) => Promise<ToolResult>;

/**
 * Calls tools by name. Tools that change something run one after the other in the order of their calls; the others run
 * in parallel. An unknown tool name is a refusal that lists the known names.
 */
export function toolCalls(tools: readonly SkillTool[], { context, onResult }: ToolCallOptions): CallTool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const inOrder = taskQueue();
  let calls = 0;

  return async (toolName, toolCallId, input, signal) => {
    const call = { toolName, toolCallId, order: calls++, abortSignal: signal ?? undefined };
    const tool = byName.get(toolName);
    const made = async (): Promise<ToolResult> => {
      const given = await context(call);
      const result = tool
        ? await tool.execute(input, {
            ...given,
            callId: given.callId ?? (toolCallId || undefined),
            signal: given.signal ?? call.abortSignal,
          })
        : toolRefusal(unknownTool(toolName, [...byName.keys()]), toolName);
      onResult?.(call, result);
      return result;
    };
    return await (tool?.parallel === false ? inOrder.run(made) : made());
  };
}

/** The output as text, for protocols that accept only text. */
export function outputText({ output }: ToolResult): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}

function unknownTool(name: string, names: readonly string[]): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `There is no tool ${JSON.stringify(name.slice(0, 80))}. The tools are: ${names.join(", ")}.`,
  );
}
