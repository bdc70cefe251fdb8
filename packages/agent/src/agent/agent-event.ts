import type { ArtifactVersion, Diagnostic, JsonValue, RunEvent, StateDelta } from "@skillwright/core";
import type { ApprovalQuestion } from "@skillwright/tools";

/** Events of a turn, as they happen. */
export type AgentEvent =
  | {
      readonly type: "turn.started";
      /** The user's message as the model sees it, including notes on uploads and changed skills. */
      readonly message: string;
      readonly skills: number;
      /** Names of the skills that the model may choose from, at most as many as its overview may list. */
      readonly offered: readonly string[];
      /** Characters of the complete system prompt. */
      readonly systemPromptCharacters: number;
    }
  /** A parked turn goes on in this step. Its calls that have no result yet are announced again. */
  | { readonly type: "turn.resumed"; readonly step: number }
  | { readonly type: "step.started"; readonly step: number }
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "step.finished";
      readonly step: number;
      readonly durationMs: number;
      readonly inputTokens?: number | undefined;
      readonly outputTokens?: number | undefined;
    }
  /** Something cut or left out that belongs to no tool call, such as skills that did not fit into the overview. */
  | { readonly type: "notice"; readonly diagnostic: Diagnostic }
  | { readonly type: "tool.call"; readonly callId: string; readonly tool: string; readonly input: JsonValue }
  /** Takes the place of the response: nothing was done for the call, and the turn parks. */
  | {
      readonly type: "approval.asked";
      readonly callId: string;
      readonly tool: string;
      readonly question: ApprovalQuestion;
    }
  | { readonly type: "tool.progress"; readonly callId: string; readonly event: RunEvent }
  | {
      readonly type: "tool.response";
      readonly callId: string;
      readonly tool: string;
      readonly output: JsonValue;
      readonly isError: boolean;
      /** Applied to the session after the step, in the order of the calls. */
      readonly stateDelta: StateDelta;
      readonly artifacts: readonly ArtifactVersion[];
      readonly diagnostics: readonly Diagnostic[];
      readonly durationMs: number;
    }
  /** The last event, also of a failed turn. */
  | { readonly type: "turn.ended" };

/**
 * Receives the events of a turn, in order. A listener that returns a promise gets the next output of the call's run once
 * that is settled.
 */
export type AgentEventListener = (event: AgentEvent) => unknown;
