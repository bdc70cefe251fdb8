import type { JsonObject } from "@skillwright/core";
import type { HistoryMark } from "@skillwright/records";
import type { UiChunk } from "./ui-chunks.js";

/** A message in the form of the AI SDK's `UIMessage`. */
export interface StoredMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly parts: readonly JsonObject[];
  /** Of a user's message. */
  readonly metadata?: { readonly mark: HistoryMark };
}

/** Collects chunks into the message that a client has after reading them. */
export function messageOf(chunks: Iterable<UiChunk>): StoredMessage {
  let id = "";
  const parts: JsonObject[] = [];
  const places = new Map<string, number>();

  function put(key: string, change: (before: JsonObject) => JsonObject): void {
    const place = places.get(key) ?? parts.length;
    places.set(key, place);
    parts[place] = change(parts[place] ?? {});
  }

  for (const chunk of chunks)
    switch (chunk.type) {
      case "start":
        id = chunk.messageId;
        break;
      case "start-step":
        parts.push({ type: "step-start" });
        break;
      case "text-start":
        put(`text ${chunk.id}`, () => ({ type: "text", text: "", state: "done" }));
        break;
      case "text-delta":
        put(`text ${chunk.id}`, (before) => ({ ...before, text: `${before["text"]}${chunk.delta}` }));
        break;
      case "tool-input-available": {
        const { toolCallId, toolName, input } = chunk;
        put(`tool ${toolCallId}`, () => ({
          ...{ type: "dynamic-tool", toolName, toolCallId, state: "input-available", input },
        }));
        break;
      }
      case "tool-output-available":
        put(`tool ${chunk.toolCallId}`, (before) => ({
          ...before,
          ...{ state: "output-available", output: chunk.output },
        }));
        break;
      case "tool-output-error":
        put(`tool ${chunk.toolCallId}`, (before) => ({
          ...before,
          ...{ state: "output-error", errorText: chunk.errorText },
        }));
        break;
      case "data-step":
      case "data-run":
      case "data-artifact":
      case "data-approval":
      case "data-diagnostic": {
        const plain = JSON.parse(JSON.stringify(chunk)) as JsonObject;
        if (chunk.id === undefined) parts.push(plain);
        else put(`${chunk.type} ${chunk.id}`, () => plain);
        break;
      }
    }
  return { id, role: "assistant", parts };
}

/** The text of a user's message. */
export function textOf(parts: readonly { readonly type: string; readonly text?: unknown }[]): string {
  return parts
    .flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
    .join("\n");
}
