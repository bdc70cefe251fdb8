import { SkillError, type SkillTool, type ToolContext, type ToolResult } from "@skillwright/core";
import { toolRefusal } from "../tool-refusal.js";
import { turnstile } from "../turnstile.js";

/** One call of a tool as a model made it. */
export interface ToolCall {
  readonly toolName: string;
  /** As the model's server names the call; empty where an SDK does not tell it. */
  readonly toolCallId: string;
  /** Counted from 0 over all calls, in the order in which they came. */
  readonly order: number;
  /** The signal that came with the call. */
  readonly abortSignal?: AbortSignal | undefined;
}

export interface ToolCallOptions {
  /** Session and state of each call. Where it gives no signal, the call's own is taken. */
  readonly context: (call: ToolCall) => ToolContext | Promise<ToolContext>;
  /**
   * Hears every result, refusals too, as it comes. Deltas belong into the state in the order of `call.order`, not in the order
   * of arrival: calls that may run side by side do.
   */
  readonly onResult?: ((call: ToolCall, result: ToolResult) => void) | undefined;
}

/** Makes one call: input as the model wrote it, also as JSON text. */
export type CallTool = (
  toolName: string,
  toolCallId: string,
  input: unknown,
  signal?: AbortSignal | null | undefined,
) => Promise<ToolResult>;

/**
 * Calls of the tools by name. Tools that change something run one after the other in the order of their calls, the others at
 * once. A name that is no tool is a refusal with those that are.
 */
export function toolCalls(tools: readonly SkillTool[], { context, onResult }: ToolCallOptions): CallTool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const inTurn = turnstile();
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
    return await (tool?.parallel === false ? inTurn(made) : made());
  };
}

/** The output as text, for the protocols that take nothing else. */
export function outputText({ output }: ToolResult): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}

function unknownTool(name: string, names: readonly string[]): SkillError {
  return new SkillError(
    "INPUT_INVALID",
    `There is no tool ${JSON.stringify(name.slice(0, 80))}. The tools are: ${names.join(", ")}.`,
  );
}
