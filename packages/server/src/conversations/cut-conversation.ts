import { createHash } from "node:crypto";
import {
  type CallOptions,
  type JsonValue,
  type SessionScope,
  type SessionStore,
  SkillError,
} from "@skillwright/core";
import type { StoredMessage } from "../turns/ui-message.js";

/** Where the agent's history was when a message came, so that the conversation can begin again there. */
export interface HistoryMark {
  readonly length: number;
  /** Of the messages until then. */
  readonly sha256: string;
}

export async function historyMark(
  sessions: SessionStore,
  agent: SessionScope,
  options?: CallOptions,
): Promise<HistoryMark> {
  return markOf((await sessions.get(agent, options))?.history ?? []);
}

/**
 * Takes the message with all that follows out of the conversation and out of the agent's history. Files and artifacts stay.
 * @throws SkillError `INPUT_INVALID` where the user said no such message; `CONFLICT` where the agent's history before it
 * was shortened since, so that nothing can begin there.
 */
export async function cutConversation(
  sessions: SessionStore,
  { record, agent }: { readonly record: SessionScope; readonly agent: SessionScope },
  message: string,
  options?: CallOptions,
): Promise<void> {
  const stored = await sessions.get(record, options);
  const messages = (stored?.history ?? []) as unknown as readonly StoredMessage[];
  const index = messages.findIndex(({ id, role }) => id === message && role === "user");
  if (!stored || index < 0) throw unknown(message);
  const mark = messages[index]?.metadata?.mark;
  const own = await sessions.get(agent, options);
  const history = own?.history ?? [];
  if (!mark || markOf(history.slice(0, mark.length)).sha256 !== mark.sha256) throw shortened();
  if (own && history.length > mark.length)
    await sessions.update(agent, { from: own.revision, history: history.slice(0, mark.length) }, options);
  await sessions.update(record, { from: stored.revision, history: stored.history.slice(0, index) }, options);
}

function markOf(history: readonly JsonValue[]): HistoryMark {
  return {
    length: history.length,
    sha256: createHash("sha256").update(JSON.stringify(history)).digest("base64url"),
  };
}

function unknown(message: string): SkillError {
  const told = `You said no message "${message}" in this conversation. Read its messages, and name one of yours.`;
  return new SkillError("INPUT_INVALID", told, { details: { fields: [{ path: "body.replaces" }] } });
}

function shortened(): SkillError {
  return new SkillError(
    "CONFLICT",
    "The conversation was shortened since that message, so that it cannot begin again there. Send a new message.",
  );
}
