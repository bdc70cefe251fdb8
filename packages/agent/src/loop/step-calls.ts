import type { JsonValue, ToolContext, ToolResult } from "@skillwright/core";
import { type ApprovalQuestion, waitingApproval } from "@skillwright/tools";
import type { AgentEventListener } from "../agent/agent-event.js";
import { turnDelta } from "./begun-turn.js";
import { callKey } from "./call-key.js";
import type { ToolOfCall } from "./callable-tools.js";
import type { ModelCall } from "./model-step.js";
import { type AnsweredCall, runToolCalls } from "./run-tool-calls.js";
import type { Turn } from "./run-turn.js";
import { closedCalls, leftQuestions, type WaitingStep, waitingKey, waitingStep } from "./waiting-step.js";

export interface StepCalls {
  readonly done: readonly AnsweredCall[];
  /** Questions that are still open. The step is stored, and its turn parks. */
  readonly asked: readonly ApprovalQuestion[];
  /** Ids of all questions of the step, which are removed once it is committed. */
  readonly approvals: readonly string[];
}

/** Answers the calls of a step, or stores the step where one of them waits for a person. */
export async function stepCalls(
  turn: Turn,
  now: Pick<WaitingStep, "step" | "reply">,
  parked: WaitingStep | undefined,
  parts: { toolOf: ToolOfCall; context: ToolContext; emit: AgentEventListener },
): Promise<StepCalls> {
  const { approvals: store, signal, durable, isSame } = turn;
  const { calls } = now.reply;
  const isRepeated = parked?.resumed === true;
  if (isRepeated && !isSame)
    return { done: closedCalls({ ...parked, calls }), asked: [], approvals: parked.approvals };
  const begun: WaitingStep | undefined = parked ?? (durable && stepOf(turn, now));
  // Whoever finds this knows that calls may have run. A process that goes on at the same time fails here.
  if (begun && !isRepeated) await keep(turn, { ...begun, resumed: true });
  const resultsOf = (answered: readonly AnsweredCall[]) =>
    calls.map((_, place) => (answered[place]?.waiting ? null : (answered[place]?.result ?? null)));
  const done = await runToolCalls(calls, parts.toolOf, parts.context, parts.emit, {
    known: parked?.results,
    keyOf: durable && ((callId) => callKey(durable.id, now.step, callId)),
    isRepeated,
    // A repeated call could undo what later calls of the step did, so each answer is stored before the next call starts.
    record: begun && ((all) => keep(turn, { ...begun, resumed: true, results: resultsOf(all) })),
    questionOf: store && ((result, call) => questionOf(turn, result, call)),
  });
  const asked = done.flatMap(({ waiting }) => waiting ?? []);
  const approvals = [...new Set([...(parked?.approvals ?? []), ...asked.map(({ id }) => id)])];
  if (asked.length === 0) return { done, asked, approvals };
  const waiting: WaitingStep = { ...stepOf(turn, now), results: resultsOf(done), approvals };
  if (signal?.aborted) return { done: closedCalls({ ...waiting, calls }), asked: [], approvals };
  await keep(turn, waiting);
  await forgetQuestions(turn);
  return { done, asked, approvals };
}

/** Removes the questions of committed steps. Where this process ends before, the conversation's next commit repeats it. */
export async function forgetQuestions({ conversation, agent, approvals, session }: Turn): Promise<void> {
  const ids = leftQuestions(conversation.state, agent);
  if (ids.length === 0) return;
  await approvals?.forget(session, ids);
  if (!waitingStep(conversation.state, agent)) conversation.apply([{ [waitingKey(agent)]: null }]);
}

function stepOf({ conversation, agent }: Turn, now: Pick<WaitingStep, "step" | "reply">): WaitingStep {
  const forget = leftQuestions(conversation.state, agent);
  return { ...now, formatVersion: 1, results: [], approvals: [], resumed: false, forget };
}

async function keep({ conversation, agent, durable }: Turn, step: WaitingStep): Promise<void> {
  conversation.apply([
    { [waitingKey(agent)]: JSON.parse(JSON.stringify(step)) as JsonValue },
    durable ? turnDelta(agent, { id: durable.id, step: step.step }) : {},
  ]);
  await conversation.commit();
}

async function questionOf(
  { approvals, session }: Turn,
  result: ToolResult,
  { id: callId }: ModelCall,
): Promise<ApprovalQuestion | undefined> {
  const id = waitingApproval(result);
  if (id === undefined) return undefined;
  // Without the question the model hears that the call waits, so that no finished call of the step is lost.
  const question = await approvals?.get(session, id).catch(() => undefined);
  return question?.request.callId === callId ? question : undefined;
}
