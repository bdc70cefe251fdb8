import { randomUUID } from "node:crypto";
import { uploadsScope } from "@skillwright/agent";
import {
  type CallOptions,
  type JsonObject,
  type SessionRecord,
  type SessionScope,
  type SessionStore,
  SkillError,
} from "@skillwright/core";
import type { DataPart } from "../turns/ui-chunks.js";
import { type StoredMessage, storedJson } from "../turns/ui-message.js";
import type { Conversation, TokenUsage } from "./conversation.js";
import { newestFirst } from "./conversation-page.js";
import { cutConversation, historyMark } from "./cut-conversation.js";
import { type MessageQueue, messageQueue } from "./message-queue.js";

/** In how many turns each skill was offered to the model, by the name of the skill. */
export type Offers = Readonly<Record<string, number>>;

/** The conversations of all users. A call sees those of its user only. */
export interface Conversations {
  /** @throws SkillError `CONFLICT` where the user has one with that id. */
  create(
    user: string,
    wanted: { readonly id?: string | undefined; readonly agent: string; readonly title?: string | undefined },
    options?: CallOptions,
  ): Promise<Conversation>;
  /** All conversations of the user, in the order of `newestFirst`. */
  list(user: string, options?: CallOptions): Promise<readonly Conversation[]>;
  /** @throws SkillError `SESSION_NOT_FOUND`. */
  get(user: string, id: string, options?: CallOptions): Promise<Conversation>;
  /** Messages in the form of the AI SDK. @throws SkillError `SESSION_NOT_FOUND`. */
  messages(user: string, id: string, options?: CallOptions): Promise<readonly StoredMessage[]>;
  /** @throws SkillError `SESSION_NOT_FOUND`. */
  rename(user: string, id: string, title: string, options?: CallOptions): Promise<Conversation>;
  /**
   * Adds a message and counts its use; a message with the id of the last one replaces it.
   * @throws SkillError `SESSION_NOT_FOUND`; `INPUT_INVALID` for a user's message with the id of the last answer.
   */
  add(
    user: string,
    id: string,
    message: StoredMessage,
    counted?: { readonly used: TokenUsage; readonly offered: readonly string[] },
  ): Promise<void>;
  /** The messages, and the number of turns in which each skill was offered to the model, in one read. @throws SkillError `SESSION_NOT_FOUND`. */
  history(
    user: string,
    id: string,
    options?: CallOptions,
  ): Promise<{ readonly messages: readonly StoredMessage[]; readonly offers: Offers }>;
  /** Puts the part in the place of the one with its id, so that the history tells how a question was answered. */
  answered(user: string, id: string, part: DataPart): Promise<void>;
  /** Takes the message with all that follows out of the conversation. @throws SkillError as `cutConversation`. */
  cut(user: string, id: string, message: string, options?: CallOptions): Promise<void>;
  /**
   * Marks the conversation as deleted. All other calls about it then throw `SESSION_NOT_FOUND`, in all processes.
   * @throws SkillError `SESSION_NOT_FOUND`.
   */
  beginDelete(user: string, id: string): Promise<void>;
  /** Deletes the record and the agent's history. */
  delete(user: string, id: string, options?: CallOptions): Promise<void>;
  /**
   * Checks that the store works by changing a session that belongs to no user. Reading alone would not notice a full disk.
   * @throws SkillError if the store does not work.
   */
  check(options?: CallOptions): Promise<void>;
  /** The scope of a session that belongs to no user, for checking whether stores work. */
  readonly nobody: SessionScope;
  /** Messages that wait for the end of a turn. */
  readonly queue: MessageQueue;
  /** The session of the conversation's agent, which also owns its workspace and artifacts. */
  scopeOf(user: string, id: string): SessionScope;
}

/** Keeps each conversation in a session of its own beside the agent's, since an agent changes its session during a turn. */
export function conversations(sessions: SessionStore, app: string): Conversations {
  const recordScope = (user: string, session: string) => ({ app: `${app}.conversations`, user, session });
  const scopeOf = (user: string, session: string) => ({ app, user, session });

  const nobody: SessionScope = { app: `${app}.ready`, user: "nobody", session: "none" };

  async function stored(user: string, id: string, options?: CallOptions): Promise<SessionRecord> {
    const found = await sessions.get(recordScope(user, id), options);
    if (!found) throw notFound(id);
    return found;
  }

  async function record(user: string, id: string, options?: CallOptions): Promise<SessionRecord> {
    const found = await stored(user, id, options);
    if (isBeingDeleted(found)) throw notFound(id);
    return found;
  }

  /** Another process may change the record at the same time, so that the change is tried again on what is there then. */
  async function change(
    user: string,
    id: string,
    changed: (now: SessionRecord) => {
      readonly history?: SessionRecord["history"];
      readonly stateDelta: JsonObject;
    },
    find = record,
  ): Promise<SessionRecord> {
    for (let attempt = 1; ; attempt++) {
      const now = await find(user, id);
      try {
        return await sessions.update(recordScope(user, id), { from: now.revision, ...changed(now) });
      } catch (error) {
        if (!SkillError.is(error, "CONFLICT") || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  return {
    create: async (user, { id = randomUUID(), agent, title = "" }, options) => {
      const stateDelta = { agent, title, createdAt: new Date().toISOString(), usage: { ...NO_USE } };
      try {
        return shown(await sessions.update(recordScope(user, id), { from: 0, stateDelta }, options));
      } catch (error) {
        throw SkillError.is(error, "CONFLICT") ? taken(id, error) : error;
      }
    },
    list: async (user, options) => {
      const ids = await sessions.list({ app: `${app}.conversations`, user }, options);
      const records = await Promise.all(ids.map((id) => sessions.get(recordScope(user, id), options)));
      const shownRecords = records.flatMap((one) => (one && !isBeingDeleted(one) ? [shown(one)] : []));
      return shownRecords.sort(newestFirst);
    },
    get: async (user, id, options) => shown(await record(user, id, options)),
    messages: async (user, id, options) => messagesOf(await record(user, id, options)),
    history: async (user, id, options) => {
      const found = await record(user, id, options);
      return { messages: messagesOf(found), offers: offersOf(found) };
    },
    rename: async (user, id, title) => shown(await change(user, id, () => ({ stateDelta: { title } }))),
    answered: async (user, id, part) => {
      const json = JSON.parse(JSON.stringify(part)) as JsonObject;
      await change(user, id, ({ history }) => ({
        history: (history as unknown as readonly StoredMessage[]).map((message) =>
          storedJson({
            ...message,
            parts: message.parts.map((one) =>
              one["type"] === part.type && one["id"] === part.id ? json : one,
            ),
          }),
        ),
        stateDelta: {},
      }));
    },
    cut: async (user, id, message, options) => {
      const scopes = { record: recordScope(user, id), agent: scopeOf(user, id) };
      await cutConversation(sessions, scopes, message, options);
    },
    add: async (user, id, given, counted) => {
      const isUser = given.role === "user";
      const message = isUser
        ? { ...given, metadata: { mark: await historyMark(sessions, scopeOf(user, id)) } }
        : given;
      await change(user, id, (now) => {
        const { history, state } = now;
        const last = history.at(-1) as unknown as StoredMessage | undefined;
        if (last?.id === message.id && last.role !== message.role) throw idOfOther(message.id);
        const kept = last?.id === message.id ? history.slice(0, -1) : history;
        const before = state["usage"] as unknown as TokenUsage;
        // What is replaced was counted.
        const stateDelta: JsonObject =
          counted && kept === history
            ? { usage: { ...added(before, counted.used) }, offers: withOffers(now, counted.offered) }
            : { usage: { ...before } };
        return { history: [...kept, storedJson(message)], stateDelta };
      });
    },
    beginDelete: async (user, id) =>
      void (await change(user, id, () => ({ stateDelta: { isBeingDeleted: true } }), stored)),
    delete: async (user, id, options) => {
      await sessions.delete(scopeOf(user, id), options);
      await sessions.delete(uploadsScope(scopeOf(user, id)), options);
      await sessions.delete(recordScope(user, id), options);
    },
    check: async (options) => {
      const from = (await sessions.get(nobody, options))?.revision ?? 0;
      const stateDelta = { askedAt: new Date().toISOString() };
      await sessions.update(nobody, { from, stateDelta }, options).catch(ifAskedByOther);
    },
    nobody,
    queue: messageQueue({ read: record, change }),
    scopeOf,
  };
}

const MAX_ATTEMPTS = 8;

export const NO_USE: TokenUsage = { turns: 0, steps: 0, inputTokens: 0, outputTokens: 0 };

/** The sum of two uses. */
export function added(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    turns: a.turns + b.turns,
    steps: a.steps + b.steps,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

function isBeingDeleted({ state }: SessionRecord): boolean {
  return state["isBeingDeleted"] === true;
}

function messagesOf({ history }: SessionRecord): readonly StoredMessage[] {
  return history as unknown as readonly StoredMessage[];
}

function offersOf({ state }: SessionRecord): Offers {
  return (state["offers"] ?? {}) as Offers;
}

function withOffers(now: SessionRecord, offered: readonly string[]): JsonObject {
  const before = new Map(Object.entries(offersOf(now)));
  for (const name of offered) before.set(name, (before.get(name) ?? 0) + 1);
  return Object.fromEntries(before);
}

function shown({ scope, state, updatedAt }: SessionRecord): Conversation {
  const { agent, title, createdAt, usage } = state as unknown as Conversation;
  return { id: scope.session, agent, title, createdAt, updatedAt, usage };
}

function notFound(id: string): SkillError {
  return new SkillError(
    "SESSION_NOT_FOUND",
    `You have no conversation "${id}". List your conversations, or create one.`,
    {
      details: { conversation: id },
    },
  );
}

/** A conflict means that another process has just changed the session, so the store works. */
function ifAskedByOther(error: unknown): void {
  if (!SkillError.is(error, "CONFLICT")) throw error;
}

function idOfOther(id: string): SkillError {
  const message = `The id "${id}" belongs to the last answer. Give each message an id of its own.`;
  return new SkillError("INPUT_INVALID", message, { details: { message: id } });
}

function taken(id: string, cause: unknown): SkillError {
  const message = `You have a conversation "${id}" already. Leave out the id, or choose another one.`;
  return new SkillError("CONFLICT", message, { cause, details: { conversation: id } });
}
