import type { Conversation } from "../api/answers.js";
import { requestJson } from "../api/request.js";
import type { StoredUpload } from "../files/send-file.js";

/** A message with the files that were uploaded for it. */
export interface FirstMessage {
  readonly text: string;
  readonly files: readonly StoredUpload[];
}

/** What is said in a conversation that was created for it, until its chat sends it. */
const waiting = new Map<string, FirstMessage>();

/** Creates a conversation and returns its id. */
export async function createConversation(): Promise<string> {
  return (await requestJson<Conversation>("/conversations", { json: {} })).id;
}

/** Titles the conversation by the first words. The chat that opens it sends the message. */
export async function keepFirstMessage(id: string, message: FirstMessage): Promise<void> {
  await requestJson(`/conversations/${id}`, { method: "PATCH", json: { title: titleOf(message.text) } });
  waiting.set(id, message);
}

/** Returns the message once. */
export function takeFirstMessage(id: string): FirstMessage | undefined {
  const message = waiting.get(id);
  waiting.delete(id);
  return message;
}

export function titleOf(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
