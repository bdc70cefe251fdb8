import { randomUUID } from "node:crypto";
import type { JsonObject, SkillTool, StateDelta, ToolResult } from "@skillwright/core";
import type { ChatResult } from "../agent/agent.js";
import type { CommandCall } from "../agent/turn-words.js";
import { turnDelta } from "./begun-turn.js";
import { callKey, commandCallId } from "./call-key.js";
import { callableTools } from "./callable-tools.js";
import { collectedEvents } from "./collected-events.js";
import { runToolCalls } from "./run-tool-calls.js";
import type { Turn } from "./run-turn.js";
import { forgetQuestions } from "./step-calls.js";
import { toolMessage } from "./tool-message.js";

/**
 * Answers a command with the result of its tool, without a model. The tool gets `command` (the text after the command's
 * name, as typed), `commandName` and `skillName`; of these only what its input schema declares, if it declares
 * properties. Call, result and answer become part of the history.
 * @param told The change of the session's state that is stored together with the user's message.
 */
export async function runCommandTool(
  turn: Turn,
  call: CommandCall,
  told: StateDelta = {},
): Promise<ChatResult> {
  const { conversation, signal, tools, loads, session, agent, durable, isSame } = turn;
  const { events, emit } = collectedEvents(turn.emit);
  const input = inputOf(call, tools.get(call.tool));
  const toolCallId = commandCallId(durable?.id ?? randomUUID());
  if (durable) {
    conversation.apply([turnDelta(agent, { id: durable.id, step: 0 })]);
    // The user's message stays apart from the history until it has its answer.
    await conversation.commit({ hold: 1 });
  }
  const context = { session, state: conversation.state, signal };
  const done = await runToolCalls(
    [{ id: toolCallId, tool: call.tool, input }],
    callableTools()(tools),
    context,
    emit,
    { keyOf: durable && ((callId) => callKey(durable.id, 0, callId)), isRepeated: isSame },
  );
  const text = done.map(({ result }) => answerOf(result)).join("\n");
  emit({ type: "text", text });
  conversation.add([
    { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName: call.tool, input }] },
    toolMessage(done, turn.bodiesInSystem),
    { role: "assistant", content: text },
  ]);
  const deltas = done.map(({ result }) => result.stateDelta);
  const ended = { finish: "answered", text } as const;
  conversation.apply([told, ...deltas, durable ? turnDelta(agent, { id: durable.id, step: 0, ended }) : {}]);
  const settled = loads.settle(conversation.state, deltas);
  conversation.apply([settled.delta]);
  // Without the signal: completed work is stored, even of an aborted turn.
  await conversation.commit();
  await forgetQuestions(turn);
  return {
    ...{ text, finish: signal?.aborted ? "aborted" : "answered", steps: 0, events },
    artifacts: done.flatMap(({ result }) => result.artifacts),
    diagnostics: [...done.flatMap(({ result }) => result.diagnostics), ...settled.diagnostics],
  };
}

function inputOf({ command, commandName, skillName }: CommandCall, tool: SkillTool | undefined): JsonObject {
  const all = { command, commandName, skillName };
  const { properties } = (tool?.inputSchema ?? {}) as { readonly properties?: object };
  if (!properties) return all;
  return Object.fromEntries(Object.entries(all).filter(([key]) => key in properties));
}

function answerOf({ output, isError }: ToolResult): string {
  if (typeof output === "string") return output === "" ? "Done." : output;
  const error = isError && (output as { readonly error?: { readonly message?: unknown } } | null)?.error;
  if (error && typeof error.message === "string") return error.message;
  return JSON.stringify(output, null, 2);
}
