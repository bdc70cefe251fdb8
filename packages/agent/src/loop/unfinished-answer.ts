import type { ModelMessage } from "ai";

/** What stands in the history for an answer that did not come to its end, after the text that the person has seen of it. */
export function unfinishedAnswer(text: string, why: string): ModelMessage {
  return { role: "assistant", content: text.trim() === "" ? why : `${text}\n\n${why}` };
}

export const STOPPED = "(This answer was stopped here.)";

export const FAILED = "(This answer ended here because of an error.)";
