import type { SessionState } from "@skillwright/core";
import { begunTurn } from "./begun-turn.js";
import { waitingStep } from "./waiting-step.js";

/** The key of a call of a durable turn, which its run has too. */
export function callKey(turn: string, step: number, callId: string): string {
  return `${turn}/${step}/${callId}`;
}

/** Id of the call with which a turn answers a command of the user. */
export function commandCallId(turn: string): string {
  return `command-${turn}`;
}

/**
 * Keys of the runs that a durable turn may have begun and not ended, as the state of its session has it: for a process that
 * ends them with `RuntimeWorkspace.runOf` where the turn's own process does not.
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
