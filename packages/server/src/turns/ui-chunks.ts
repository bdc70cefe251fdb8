import type { JsonValue } from "@skillwright/core";
import type { RunData, TurnDataParts } from "./data-parts.js";

/** A data part of a message, as a chunk of the stream and as a part of a stored message. */
export type DataPart = {
  [Name in keyof TurnDataParts]: {
    readonly type: `data-${Name}`;
    readonly id?: string;
    readonly data: TurnDataParts[Name];
  };
}[keyof TurnDataParts];

/** The chunks of the AI SDK's UI message stream that a turn consists of. */
export type UiChunk =
  | { readonly type: "start"; readonly messageId: string }
  | { readonly type: "start-step" | "finish-step" }
  | { readonly type: "text-start" | "text-end"; readonly id: string }
  | { readonly type: "text-delta"; readonly id: string; readonly delta: string }
  | {
      readonly type: "tool-input-available";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: JsonValue;
      readonly dynamic: true;
    }
  | {
      readonly type: "tool-output-available";
      readonly toolCallId: string;
      readonly output: JsonValue;
      readonly dynamic: true;
    }
  | {
      readonly type: "tool-output-error";
      readonly toolCallId: string;
      readonly errorText: string;
      readonly dynamic: true;
    }
  | DataPart
  | { readonly type: "error"; readonly errorText: string }
  | { readonly type: "abort"; readonly reason: string }
  | { readonly type: "finish"; readonly finishReason: "stop" | "length" | "error" | "other" };

/** The part of a run, whose id keeps it one part of the message. */
export function runPart(data: RunData): DataPart {
  return { type: "data-run", id: data.callId, data };
}
