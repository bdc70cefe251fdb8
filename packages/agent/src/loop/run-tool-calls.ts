import type { JsonValue, ToolContext, ToolResult } from "@skillwright/core";
import type { ApprovalQuestion } from "@skillwright/tools";
import type { AgentEventListener } from "../agent/agent-event.js";
import type { ToolOfCall } from "./callable-tools.js";
import type { ModelCall } from "./model-step.js";
import { outcomeUnknown } from "./tool-refused.js";

export interface AnsweredCall extends ModelCall {
  readonly result: ToolResult;
  /** The stored question that the call waits for. Nothing was done for the call. */
  readonly waiting?: ApprovalQuestion;
}

export interface ToolCallOptions {
  /** Returns the key of the call with this id. */
  readonly keyOf?: ((callId: string) => string) | undefined;
  /** A process that ended may have begun with the calls: only tools that do nothing twice are called. */
  readonly isRepeated?: boolean | undefined;
  /** Results by the place of the call; these calls are not executed. */
  readonly known?: readonly (ToolResult | null)[] | undefined;
  /** Stores all answers so far. The next calls start after it. */
  readonly record?: ((answered: readonly AnsweredCall[]) => Promise<void>) | undefined;
  /** The question for which a call with this result waits. Without it, the result is that of the call. */
  readonly questionOf?:
    | ((result: ToolResult, call: ModelCall) => Promise<ApprovalQuestion | undefined>)
    | undefined;
}

/**
 * Answers the calls of one step, in call order. Adjacent parallel calls run concurrently; any other call waits for the
 * preceding ones, and the following ones start once it was answered and `record` has stored the answer. Every call sees the state from before the step. After calls with a
 * question the following ones are neither executed nor answered.
 */
export async function runToolCalls(
  calls: readonly ModelCall[],
  toolOf: ToolOfCall,
  context: Omit<ToolContext, "onEvent">,
  emit: AgentEventListener,
  { known = [], record, ...options }: ToolCallOptions = {},
): Promise<readonly AnsweredCall[]> {
  const answered: AnsweredCall[] = [];
  for (const group of groups(calls, toolOf)) {
    const first = answered.length;
    const isKnown = group.every((_, place) => known[first + place]);
    if (first > 0 && !isKnown) await record?.(answered);
    const answers = group.map(async (call, place): Promise<AnsweredCall> => {
      const result = known[first + place];
      return result ? { ...call, result } : await answer(call, toolOf, context, emit, options);
    });
    answered.push(...(await Promise.all(answers)));
    if (answered.some(({ waiting }) => waiting)) break;
  }
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
  { keyOf, isRepeated, questionOf }: Omit<ToolCallOptions, "known" | "record">,
): Promise<AnsweredCall> {
  const { id: callId, tool } = call;
  const found = toolOf(call);
  const key = keyOf?.(callId);
  emit({ type: "tool.call", callId, tool, input: (call.input ?? null) as JsonValue });
  const started = performance.now();
  const onEvent: ToolContext["onEvent"] = (event) => emit({ type: "tool.progress", callId, event });
  const isSafe = !isRepeated || found.parallel || found.repeatable;
  const result = isSafe
    ? await found.execute(call.input, { ...context, callId, key, onEvent })
    : outcomeUnknown();
  const waiting = await questionOf?.(result, call);
  if (waiting) {
    emit({ type: "approval.asked", callId, tool, question: waiting });
    return { ...call, result, waiting };
  }
  const durationMs = performance.now() - started;
  emit({ type: "tool.response", callId, tool, ...result, durationMs });
  return { ...call, result };
}
