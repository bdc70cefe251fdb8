import { type CallOptions, type Diagnostic, type SessionScope, SkillError } from "@skillwright/core";
import type { SkillLoads } from "@skillwright/injector";
import type { StoredApprovals } from "@skillwright/tools";
import type { ChatResult } from "../agent/agent.js";
import type { OpenConversation } from "./conversation.js";
import { toolMessage } from "./tool-message.js";
import {
  closedCalls,
  leftQuestions,
  type WaitingStep,
  waitingKey,
  waitingStep,
  withdrawn,
} from "./waiting-step.js";

interface Parts {
  readonly config: {
    readonly agent?: string | undefined;
    readonly loads: { readonly bodies: string };
  };
  readonly session: SessionScope;
  readonly approvals: StoredApprovals | undefined;
}

/** The result of a parked turn that cannot go on yet, because questions of it are open. */
export async function openQuestions(
  { session, approvals }: Parts,
  { step, approvals: ids, resumed }: WaitingStep,
  options: CallOptions,
): Promise<ChatResult | undefined> {
  if (resumed || !approvals) return undefined;
  const open = (await approvals.list(session, options)).filter(({ id }) => ids.includes(id));
  if (open.length === 0) return undefined;
  const text = `The turn waits for the approval of a person (${open.length}).`;
  return {
    text,
    finish: "waiting",
    steps: step,
    events: [],
    artifacts: [],
    diagnostics: [],
    approvals: open,
  };
}

/**
 * Ends the parked turn of the conversation for a new message: its step becomes part of the history, and what waited is
 * answered with a refusal. Its questions are removed after the next commit.
 */
export function closeWaiting(
  { config: { agent, loads: config } }: Parts,
  loads: SkillLoads,
  conversation: OpenConversation,
): readonly Diagnostic[] {
  const parked = waitingStep(conversation.state, agent);
  if (!parked) return [];
  const { reply, approvals } = parked;
  const done = closedCalls({ ...parked, calls: reply.calls });
  conversation.add([...reply.messages, toolMessage(done, config.bodies === "system")]);
  const deltas = done.map(({ result }) => result.stateDelta);
  conversation.apply([loads.afterRequest(conversation.state), ...deltas]);
  conversation.apply([loads.settle(conversation.state, deltas).delta]);
  conversation.apply([
    { [waitingKey(agent)]: { forget: [...leftQuestions(conversation.state, agent), ...approvals] } },
  ]);
  conversation.endTurn();
  return [withdrawn(parked)];
}

export function parkedTurn(): SkillError {
  return new SkillError(
    "CONFLICT",
    "The conversation has a turn that waits for approvals. Answer them and resume it, or send a message, and compact then.",
  );
}
