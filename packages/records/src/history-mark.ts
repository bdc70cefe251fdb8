import { createHash } from "node:crypto";
import type { JsonValue } from "@skillwright/core";
import type { HistoryMark } from "./sessions.js";

/** The mark of a history without messages. */
export const NO_HISTORY: HistoryMark = { length: 0, sha256: "" };

/** The mark after further messages: each hash covers the one before. So the length of the history does not matter for the cost. */
export function markAfter(mark: HistoryMark, messages: readonly JsonValue[]): HistoryMark {
  let { length, sha256 } = mark;
  for (const message of messages) {
    sha256 = createHash("sha256")
      .update(`${sha256} ${JSON.stringify(message)}`)
      .digest("base64url");
    length++;
  }
  return { length, sha256 };
}

/** True if the history begins with the messages that the mark stands for. */
export function beginsWith(history: readonly JsonValue[], mark: HistoryMark): boolean {
  return markAfter(NO_HISTORY, history.slice(0, mark.length)).sha256 === mark.sha256;
}
