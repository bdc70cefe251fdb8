import { randomUUID } from "node:crypto";
import {
  type CallOptions,
  type JsonObject,
  type SessionRecord,
  type SessionScope,
  type SessionStore,
  SkillError,
} from "@skillwright/core";
import { type StoredMessage, storedJson } from "../turns/ui-message.js";
import type { Conversation, TokenUsage } from "./conversation.js";

/** The conversations of all users. A call sees those of its user only. */
export interface Conversations {
  /** @throws SkillError `CONFLICT` where the user has one with that id. */
  create(
    user: string,
    wanted: { readonly id?: string | undefined; readonly agent: string; readonly title?: string | undefined },
    options?: CallOptions,
  ): Promise<Conversation>;
  /** Newest change first. */
  list(user: string, options?: CallOptions): Promise<readonly Conversation[]>;
  /** @throws SkillError `SESSION_NOT_FOUND`. */
  get(user: string, id: string, options?: CallOptions): Promise<Conversation>;
  /** Messages in the form of the AI SDK. @throws SkillError `SESSION_NOT_FOUND`. */
  messages(user: string, id: string, options?: CallOptions): Promise<readonly StoredMessage[]>;
  /** @throws SkillError `SESSION_NOT_FOUND`. */
  rename(user: string, id: string, title: string, options?: CallOptions): Promise<Conversation>;
  /**
   * Adds a message and counts its use; a message with the id of the last one replaces it.
   * @throws SkillError `SESSION_NOT_FOUND`.
   */
  add(user: string, id: string, message: StoredMessage, used?: TokenUsage): Promise<void>;
  /** Deletes the record and the agent's history. */
  delete(user: string, id: string, options?: CallOptions): Promise<void>;
  /** The session of the conversation's agent, which also owns its workspace and artifacts. */
  scopeOf(user: string, id: string): SessionScope;
}

/** Keeps each conversation in a session of its own beside the agent's, since an agent changes its session during a turn. */
export function conversations(sessions: SessionStore, app: string): Conversations {
  const recordScope = (user: string, session: string) => ({ app: `${app}.conversations`, user, session });
  const scopeOf = (user: string, session: string) => ({ app, user, session });

  async function record(user: string, id: string, options?: CallOptions): Promise<SessionRecord> {
    const found = await sessions.get(recordScope(user, id), options);
    if (!found) throw notFound(id);
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
  ): Promise<SessionRecord> {
    for (let attempt = 1; ; attempt++) {
      const now = await record(user, id);
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
      return records
        .flatMap((one) => (one ? [shown(one)] : []))
        .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : 0));
    },
    get: async (user, id, options) => shown(await record(user, id, options)),
    messages: async (user, id, options) =>
      (await record(user, id, options)).history as unknown as readonly StoredMessage[],
    rename: async (user, id, title) => shown(await change(user, id, () => ({ stateDelta: { title } }))),
    add: async (user, id, message, used) => {
      await change(user, id, ({ history, state }) => {
        const last = history.at(-1) as unknown as StoredMessage | undefined;
        const kept = last?.id === message.id ? history.slice(0, -1) : history;
        const before = state["usage"] as unknown as TokenUsage;
        return {
          history: [...kept, storedJson(message)],
          // What is replaced was counted.
          stateDelta: { usage: { ...(used && kept === history ? added(before, used) : before) } },
        };
      });
    },
    delete: async (user, id, options) => {
      await sessions.delete(scopeOf(user, id), options);
      await sessions.delete(recordScope(user, id), options);
    },
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

function taken(id: string, cause: unknown): SkillError {
  const message = `You have a conversation "${id}" already. Leave out the id, or choose another one.`;
  return new SkillError("CONFLICT", message, { cause, details: { conversation: id } });
}
