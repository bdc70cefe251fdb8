import type { JsonValue, ToolContext, ToolResult } from "@skillwright/core";
import type { AgentEventListener } from "../agent/agent-event.js";
import type { ToolOfCall } from "./callable-tools.js";
import type { ModelCall } from "./model-step.js";

export interface AnsweredCall extends ModelCall {
  readonly result: ToolResult;
}

/**
 * Answers the calls of one step, in call order. Adjacent parallel calls run concurrently; any other call waits for the
 * preceding ones, and the following ones wait for it. Every call sees the state from before the step.
 */
export async function runToolCalls(
  calls: readonly ModelCall[],
  toolOf: ToolOfCall,
  context: Omit<ToolContext, "onEvent">,
  emit: AgentEventListener,
): Promise<readonly AnsweredCall[]> {
  const answered: AnsweredCall[] = [];
  for (const group of groups(calls, toolOf))
    answered.push(...(await Promise.all(group.map((call) => answer(call, toolOf, context, emit)))));
  return answered;
}

function groups(calls: readonly ModelCall[], toolOf: ToolOfCall): ModelCall[][] {
  const found: ModelCall[][] = [];
  let open = false;
  for (const call of calls) {
    const { parallel } = toolOf(call);
    if (parallel && open) found.at(-1)?.push(call);
    else found.push([call]);
    open = parallel;
  }
  return found;
}

async function answer(
  call: ModelCall,
  toolOf: ToolOfCall,
  context: Omit<ToolContext, "onEvent">,
  emit: AgentEventListener,
): Promise<AnsweredCall> {
  const { id: callId, tool } = call;
  emit({ type: "tool.call", callId, tool, input: (call.input ?? null) as JsonValue });
  const started = performance.now();
  const onEvent: ToolContext["onEvent"] = (event) => emit({ type: "tool.progress", callId, event });
  const result = await toolOf(call).execute(call.input, { ...context, callId, onEvent });
  const durationMs = performance.now() - started;
  emit({ type: "tool.response", callId, tool, ...result, durationMs });
  return { ...call, result };
}
