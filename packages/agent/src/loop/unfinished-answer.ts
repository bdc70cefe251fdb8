import type { ModelMessage } from "ai";

/** The message that the history keeps of an unfinished answer: the text that the person has seen, and why it ended. */
export function unfinishedAnswer(text: string, why: string): ModelMessage {
  return { role: "assistant", content: text.trim() === "" ? why : `${text}\n\n${why}` };
}

export const STOPPED = "(This answer was stopped here.)";

export const FAILED = "(This answer ended here because of an error.)";
