import {
  type JsonValue,
  type SessionState,
  SkillError,
  type SkillErrorCode,
  type StateDelta,
} from "@skillwright/core";
import type { ChatFinish, ChatResult, ResumableTurn } from "../agent/agent.js";

/** The newest durable turn of a conversation, as the session's state keeps it. */
export interface BegunTurn {
  readonly formatVersion: 1;
  readonly id: string;
  /** The step that runs, or the last one; 0 while the tool of a user's command runs. */
  readonly step: number;
  /** Set when it has ended. */
  readonly ended?: { readonly finish: ChatFinish; readonly text: string };
  /** Set when it has failed. */
  readonly failed?: { readonly code: SkillErrorCode; readonly message: string };
}

export function begunTurn(state: SessionState, agent: string | undefined): BegunTurn | undefined {
  return state[turnKey(agent)] as BegunTurn | undefined;
}

/** Returns the newest durable turn of the conversation if it is the given one. */
export function begunAs(
  turn: ResumableTurn | undefined,
  state: SessionState,
  agent: string | undefined,
): BegunTurn | undefined {
  const begun = turn && begunTurn(state, agent);
  return begun?.id === turn?.id ? begun : undefined;
}

export function turnDelta(agent: string | undefined, turn: Omit<BegunTurn, "formatVersion">): StateDelta {
  const stored: BegunTurn = { formatVersion: 1, ...turn };
  return { [turnKey(agent)]: JSON.parse(JSON.stringify(stored)) as JsonValue };
}

/** How the turn ended; `undefined` while it has not ended. @throws SkillError the error with which the turn failed. */
export function endOf({ step, ended, failed }: BegunTurn): ChatResult | undefined {
  if (failed) throw new SkillError(failed.code, failed.message);
  return ended && { ...ended, steps: step, events: [], artifacts: [], diagnostics: [] };
}

function turnKey(agent: string | undefined): string {
  return `agent:turn${agent === undefined ? "" : `:${agent}`}`;
}
