import type { ArtifactVersion } from "../artifact/artifact-store.js";
import type { CallOptions } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type { JsonObject, JsonValue } from "../json-value.js";
import type { RunEventListener } from "../run-event.js";
import type { SessionScope, SessionState, StateDelta } from "../session/state-delta.js";

export interface ToolContext extends CallOptions {
  /** The conversation that the call belongs to. */
  readonly session: SessionScope;
  /**
   * Which of the session's agents calls: what one agent loads is not loaded for the others. Missing where there is only
   * one.
   */
  readonly agent?: string | undefined;
  /** Id of the call, as the model's server names it. Missing where it is unknown. */
  readonly callId?: string | undefined;
  /** The same for a call that is made again because its process died. Where it is set, `repeatable` tools do nothing twice. */
  readonly key?: string | undefined;
  /** The session's state at the start of the model's step. */
  readonly state: SessionState;
  readonly onEvent?: RunEventListener | undefined;
}

/** Result of a call. Refusals are results too: a tool never throws at the model. */
export interface ToolResult {
  /** Output for the model. For a refusal, `{ error: { code, message, retry } }`; the message says what is valid. */
  readonly output: JsonValue;
  readonly isError: boolean;
  /** State changes to apply after the step, in the order of the calls. */
  readonly stateDelta: StateDelta;
  readonly artifacts: readonly ArtifactVersion[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A function that a model may call, independent of any SDK; adapters convert it. */
export interface SkillTool {
  /** Letters, digits and `_`, at most 64. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject;
  /** True when calls of one step may run in parallel: the tool changes nothing but state. */
  readonly parallel: boolean;
  /**
   * True when a call may be repeated: a second call with the same `ToolContext.key`, before any later call of the step, has no
   * further effect. Defaults to false.
   */
  readonly repeatable?: boolean | undefined;
  /** Validates the input itself. Invalid input is a refusal that names the field. */
  execute(input: unknown, context: ToolContext): Promise<ToolResult>;
}
