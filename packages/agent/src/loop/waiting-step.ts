import type { Diagnostic, SessionState, ToolResult } from "@skillwright/core";
import type { ModelStep } from "./model-step.js";
import type { AnsweredCall } from "./run-tool-calls.js";
import { outcomeUnknown, toolRefused } from "./tool-refused.js";

/** A step whose calls run or wait for a person, as the session's state keeps it. */
export interface WaitingStep {
  readonly formatVersion: 1;
  readonly step: number;
  readonly reply: Pick<ModelStep, "text" | "calls" | "messages">;
  /** Results in the order of the calls. `null` for a call that waits for approval or has no answer, and for all calls after it. */
  readonly results: readonly (ToolResult | null)[];
  /** Ids of the questions. */
  readonly approvals: readonly string[];
  /** True once a process has begun to go on. Found so by another one, that process has died meanwhile. */
  readonly resumed: boolean;
  /** Ids of the questions of earlier steps that are still to be removed. */
  readonly forget: readonly string[];
}

/** Without a step, only questions are left to be removed. */
type Kept = Partial<WaitingStep>;

/** The session key of the agent's waiting step. */
export function waitingKey(agent: string | undefined): string {
  return `agent:waiting${agent === undefined ? "" : `:${agent}`}`;
}

export function waitingStep(state: SessionState, agent: string | undefined): WaitingStep | undefined {
  const kept = state[waitingKey(agent)] as Kept | undefined;
  return kept?.reply ? (kept as WaitingStep) : undefined;
}

/** Ids of questions that belong to completed steps, also of a process that ended before it removed them. */
export function leftQuestions(state: SessionState, agent: string | undefined): readonly string[] {
  return (state[waitingKey(agent)] as Kept | undefined)?.forget ?? [];
}

/** Answers all calls that have no result: with a refusal, or as unknown where a process has begun with them. */
export function closedCalls({
  calls,
  results,
  resumed,
}: Pick<WaitingStep, "results" | "resumed"> & Pick<ModelStep, "calls">): readonly AnsweredCall[] {
  const open = resumed ? outcomeUnknown() : toolRefused("REFUSED", WITHDRAWN, true);
  return calls.map((call, place) => ({ ...call, result: results[place] ?? open }));
}

const WITHDRAWN =
  "Nothing was done: the question whether this is allowed was withdrawn before a person answered it.";

/** Reports how a parked turn was closed without its answers. */
export function withdrawn({ approvals, resumed }: WaitingStep): Diagnostic {
  return {
    code: resumed ? "approval.outcome-unknown" : "approval.withdrawn",
    severity: "warning",
    message: resumed
      ? "The process that went on with approved calls ended before they did, so their outcome is unknown. They are not run again."
      : `A new message came while the turn waited for approvals (${approvals.length}); they were withdrawn, and nothing was done.`,
    hint: resumed
      ? "Look at the files of the workspace before you ask for the same again."
      : "Ask again for what is still needed.",
  };
}
