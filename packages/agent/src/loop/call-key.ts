import type { SessionState } from "@skillwright/core";
import { begunTurn } from "./begun-turn.js";
import { waitingStep } from "./waiting-step.js";

/** The key of a tool call in a durable turn, and of the run that the call starts. */
export function callKey(turn: string, step: number, callId: string): string {
  return `${turn}/${step}/${callId}`;
}

/** The id of the tool call that answers a command of the user. */
export function commandCallId(turn: string): string {
  return `command-${turn}`;
}

/**
 * Returns the keys of the runs that a durable turn may have started and that may not have ended, read from the state of its
 * session. If the turn's own process has died, another process can end these runs with `RuntimeWorkspace.runOf`, whose run ids `runIdOf` gives.
 * @param agent The `agent` of the configuration, where several agents share the session.
 */
export function openRunKeys(state: SessionState, turn: string, agent?: string): readonly string[] {
  const begun = begunTurn(state, agent);
  if (begun?.id !== turn || begun.ended) return [];
  if (begun.step === 0) return [callKey(turn, 0, commandCallId(turn))];
  const { reply, step, results } = waitingStep(state, agent) ?? { step: 0, results: [] };
  const open = reply?.calls.filter((_, place) => !results[place]) ?? [];
  return open.map(({ id }) => callKey(turn, step, id));
}
