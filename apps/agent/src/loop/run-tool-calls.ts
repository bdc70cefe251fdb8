import type { JsonValue, SkillTool, ToolContext, ToolResult } from "@skillwright/core";
import { SkillError } from "@skillwright/core";
import type { AgentEventListener } from "../agent/agent-event.js";
import type { ModelCall } from "./model-step.js";

export interface AnsweredCall extends ModelCall {
  readonly result: ToolResult;
}

/**
 * Answers the calls of one step, in the order of the calls. Neighbours that may run side by side do; any other call
 * waits for those before it and is waited for. Every call sees the state from before the step.
 */
export async function runToolCalls(
  calls: readonly ModelCall[],
  tools: ReadonlyMap<string, SkillTool>,
  context: Omit<ToolContext, "onEvent">,
  emit: AgentEventListener,
): Promise<readonly AnsweredCall[]> {
  const answered: AnsweredCall[] = [];
  for (const group of groups(calls, tools))
    answered.push(...(await Promise.all(group.map((call) => answer(call, tools, context, emit)))));
  return answered;
}

function groups(calls: readonly ModelCall[], tools: ReadonlyMap<string, SkillTool>): ModelCall[][] {
  const found: ModelCall[][] = [];
  let open = false;
  for (const call of calls) {
    const parallel = tools.get(call.tool)?.parallel ?? true;
    if (parallel && open) found.at(-1)?.push(call);
    else found.push([call]);
    open = parallel;
  }
  return found;
}

async function answer(
  call: ModelCall,
  tools: ReadonlyMap<string, SkillTool>,
  context: Omit<ToolContext, "onEvent">,
  emit: AgentEventListener,
): Promise<AnsweredCall> {
  const { id: callId, tool } = call;
  emit({ type: "tool.call", callId, tool, input: (call.input ?? null) as JsonValue });
  const started = performance.now();
  const onEvent: ToolContext["onEvent"] = (event) => emit({ type: "tool.progress", callId, event });
  const result = await execute(call, tools, { ...context, onEvent });
  const durationMs = performance.now() - started;
  emit({ type: "tool.response", callId, tool, ...result, durationMs });
  return { ...call, result };
}

async function execute(
  call: ModelCall,
  tools: ReadonlyMap<string, SkillTool>,
  context: ToolContext,
): Promise<ToolResult> {
  const tool = tools.get(call.tool);
  if (!tool) {
    const names = [...tools.keys()].join(", ") || "none";
    return refusal("INPUT_INVALID", `There is no tool "${call.tool}". The tools are: ${names}.`, true);
  }
  if (call.problem !== undefined)
    return refusal(
      "INPUT_INVALID",
      `The input of ${call.tool} is no valid JSON: ${call.problem} Write it anew.`,
      true,
    );
  try {
    return await tool.execute(call.input, context);
  } catch (error) {
    // A tool handed in may break its promise; the model is told, the turn goes on.
    const failure = SkillError.from(error, `The tool ${call.tool}`);
    return refusal(failure.code, failure.message, false);
  }
}

function refusal(code: string, message: string, retry: boolean): ToolResult {
  return {
    output: { error: { code, message, retry } },
    isError: true,
    stateDelta: {},
    artifacts: [],
    diagnostics: [],
  };
}
