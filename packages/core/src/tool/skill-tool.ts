import type { ArtifactVersion } from "../artifact/artifact-store.js";
import type { CallOptions } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import type { JsonObject, JsonValue } from "../json-value.js";
import type { RunEventListener } from "../run-event.js";
import type { SessionScope } from "../session/session-store.js";
import type { SessionState, StateDelta } from "../session/state-delta.js";

export interface ToolContext extends CallOptions {
  /** The conversation the call belongs to. */
  readonly session: SessionScope;
  /** Which of several agents of the session calls: what one loads, the others have not. Missing where there is one. */
  readonly agent?: string | undefined;
  /** The call, as the model's server names it; missing where that is not known. */
  readonly callId?: string | undefined;
  /** Its state when the model's step began. */
  readonly state: SessionState;
  readonly onEvent?: RunEventListener | undefined;
}

/** What a call gave. Refusals are results too: a tool never throws at the model. */
export interface ToolResult {
  /** For the model. On a refusal `{ error: { code, message, retry } }` with what is valid in the message. */
  readonly output: JsonValue;
  readonly isError: boolean;
  /** To be applied after the step, in the order of the calls. */
  readonly stateDelta: StateDelta;
  readonly artifacts: readonly ArtifactVersion[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A function a model may call, neutral of any SDK; adapters convert it at the edge. */
export interface SkillTool {
  /** Letters, digits and `_`, at most 64. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject;
  /** True when calls of one step may run side by side: the tool changes nothing but state. */
  readonly parallel: boolean;
  /** Checks the input itself; unfit input is a refusal that names the field. */
  execute(input: unknown, context: ToolContext): Promise<ToolResult>;
}
