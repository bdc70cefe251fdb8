import { randomUUID } from "node:crypto";
import { forgetSession } from "@skillwright/agent";
import {
  type CallOptions,
  type JsonObject,
  type RecordStore,
  type SessionScope,
  SkillError,
} from "@skillwright/core";
import { recordSessions, type Sessions } from "@skillwright/records";
import type { DataPart } from "../turns/ui-chunks.js";
import type { StoredMessage } from "../turns/ui-message.js";
import { added, type Conversation, type TokenUsage } from "./conversation.js";
import { conversationPage, type PageQuery } from "./conversation-page.js";
import { messagesBefore } from "./cut-conversation.js";
import { knownSessions } from "./known-sessions.js";
import { type MessageQueue, messageQueue } from "./message-queue.js";
import type { AgingConversation } from "./retention.js";
import {
  type ConversationHead,
  type StoredConversation,
  storedConversations,
} from "./stored-conversations.js";

/** In how many turns each skill was offered to the model, by the name of the skill. */
export type Offers = ConversationHead["offers"];

/** The message of a turn, as it was added. */
export interface AddedMessage {
  /** What is known of the session, which was read if nothing was known. */
  readonly session: "new" | "unchanged" | "read";
  /** The revision of the conversation with the message. */
  readonly revision: string;
}

/** The answer of a turn, as it was added. */
interface AddedAnswer extends Pick<StoredConversation, "queue" | "revision"> {
  /** The revision of the conversation before the answer. */
  readonly from: string;
}

/** The conversations of all users. A call sees those of its user only. */
export interface Conversations {
  /** @throws SkillError `CONFLICT` where the user has one with that id. */
  create(
    user: string,
    wanted: { readonly id?: string | undefined; readonly agent: string; readonly title?: string | undefined },
    options?: CallOptions,
  ): Promise<Conversation>;
  /** A part of the user's conversations. @throws SkillError `INPUT_INVALID` for a text that is no cursor. */
  page(
    user: string,
    query: PageQuery,
    options?: CallOptions,
  ): Promise<{ readonly page: readonly Conversation[]; readonly next: string | undefined }>;
  /** All conversations of the user, the last changed ones first. */
  list(user: string, options?: CallOptions): Promise<readonly (Conversation & { readonly offers: Offers })[]>;
  /**
   * @param options.recent True to get the conversation as this process read or wrote it last, without a look whether it has changed.
   * @throws SkillError `SESSION_NOT_FOUND`.
   */
  get(user: string, id: string, options?: CallOptions & { readonly recent?: boolean }): Promise<Conversation>;
  /** Messages in the form of the AI SDK. @throws SkillError `SESSION_NOT_FOUND`. */
  messages(user: string, id: string, options?: CallOptions): Promise<readonly StoredMessage[]>;
  /** @throws SkillError `SESSION_NOT_FOUND`. */
  rename(user: string, id: string, title: string, options?: CallOptions): Promise<Conversation>;
  /** True if this process made the conversation, and knows of no turn in it. */
  isNew(user: string, id: string): boolean;
  /**
   * Adds the message with which a turn begins; a message with the id of the last one replaces it. Returns `undefined`, and adds nothing,
   * if another agent answers in the conversation.
   * @param begun `previous` is the turn before it.
   * @throws SkillError `SESSION_NOT_FOUND`; `INPUT_INVALID` for a message with the id of the last answer.
   */
  addMessage(
    user: string,
    id: string,
    message: StoredMessage,
    begun: { readonly agent: string; readonly previous?: string | undefined },
  ): Promise<AddedMessage | undefined>;
  /**
   * Adds the answer of a turn and counts its use; one with the id of the last message replaces it.
   * @throws SkillError `SESSION_NOT_FOUND`.
   */
  addAnswer(
    user: string,
    id: string,
    message: StoredMessage,
    counted?: { readonly used: TokenUsage; readonly offered: readonly string[] },
  ): Promise<AddedAnswer>;
  /** Notes that this process has run the turn to its end, so that the next one need not read the session. */
  noteEnd(
    user: string,
    id: string,
    turn: string,
    stored: { readonly message: AddedMessage | undefined; readonly answer: AddedAnswer },
  ): void;
  /** Changes the time of the last change only, so that the next turn reads what may have changed beside it. @throws SkillError `SESSION_NOT_FOUND`. */
  touch(user: string, id: string): Promise<void>;
  /** Puts the part in the place of the one with its id, so that the history tells how a question was answered. */
  answered(user: string, id: string, part: DataPart): Promise<void>;
  /** Takes the message with all that follows out of the conversation. @throws SkillError as `messagesBefore`. */
  cut(user: string, id: string, message: string, options?: CallOptions): Promise<void>;
  /** All conversations of all users, also those that are being deleted. */
  every(options?: CallOptions): AsyncIterable<AgingConversation>;
  /**
   * Marks the conversation as deleted. All other calls about it then throw `SESSION_NOT_FOUND`, in all processes. Returns `false` if
   * it was changed after `unchangedSince`, an ISO 8601 time, and is not being deleted.
   * @throws SkillError `SESSION_NOT_FOUND`.
   */
  beginDelete(
    user: string,
    id: string,
    options?: { readonly unchangedSince?: string | undefined },
  ): Promise<boolean>;
  /** Deletes the record and what the agent keeps. */
  delete(user: string, id: string, options?: CallOptions): Promise<void>;
  /**
   * Checks that the store works by writing a record that belongs to no user. Reading alone would not notice a full disk.
   * @throws SkillError if the store does not work.
   */
  check(options?: CallOptions): Promise<void>;
  /** Messages that wait for the end of a turn. */
  readonly queue: MessageQueue;
  /** The session of the conversation's agent, which also owns its workspace and artifacts. */
  scopeOf(user: string, id: string): SessionScope;
}

/**
 * Keeps conversations in records of their own, because the agents change theirs during a turn.
 * @param sessions What the agents keep of the conversations. Defaults to `records`.
 */
export function conversations(
  records: RecordStore,
  app: string,
  sessions: Sessions = recordSessions(records),
): Conversations {
  const stored = storedConversations(records, app);
  const known = knownSessions();
  const scopeOf = (user: string, session: string) => ({ app, user, session });

  const messages: Conversations["messages"] = async (user, id, options) =>
    await stored.messages(user, await stored.get(user, id, options), options);

  return {
    create: async (user, { id = randomUUID(), agent, title = "" }, options) => {
      const made = await stored.create(user, id, { agent, title }, options);
      if (!made) throw taken(id);
      known.set(user, id, made.revision);
      return shown(made);
    },
    page: async (user, query, options) => {
      const { page, next } = await conversationPage(stored, user, query, options);
      return { page: page.map(shown), next };
    },
    list: async (user, options) => {
      const all: (Conversation & { readonly offers: Offers })[] = [];
      for await (const one of stored.list(user, options))
        if (!one.isBeingDeleted) all.push({ ...shown(one), offers: one.offers });
      return all;
    },
    get: async (user, id, options) => shown(await stored.get(user, id, options)),
    messages,
    rename: async (user, id, title) => shown(await stored.change(user, id, () => ({ head: { title } }))),
    answered: async (user, id, part) => {
      const json = part as unknown as JsonObject;
      const isIt = (one: JsonObject) => one["type"] === part.type && one["id"] === part.id;
      await stored.change(user, id, async (now) => {
        const message = (await stored.messages(user, now)).find(({ parts }) => parts.some(isIt));
        if (!message) return undefined;
        const parts = message.parts.map((one) => (isIt(one) ? json : one));
        return { messages: { replace: { ...message, parts } } };
      });
    },
    cut: async (user, id, message, options) => {
      const agent = { sessions, scope: scopeOf(user, id) };
      const cut = async (now: StoredConversation) => {
        const all = await stored.messages(user, now, options);
        return { messages: { all: await messagesBefore(all, message, agent, options) } };
      };
      await stored.change(user, id, cut, options);
    },
    isNew: known.isNew,
    addMessage: async (user, id, given, { agent, previous }) => {
      let session: AddedMessage["session"] | undefined;
      let isOthers = false;
      const withMessage = async (now: StoredConversation) => {
        isOthers = now.agent !== agent;
        if (isOthers) return undefined;
        const isLast = now.last?.id === given.id;
        if (isLast && now.last?.role !== "user") throw idOfOther(given.id);
        const ofSession = known.sessionOf(user, id, now.revision, previous);
        // The session is read once, also if the conversation has to be read again.
        const readOnce = session === "read" ? "unchanged" : undefined;
        const mark = await sessions.mark(scopeOf(user, id), { known: ofSession ?? readOnce });
        session = ofSession ?? "read";
        const message = { ...given, metadata: { mark } };
        return { messages: isLast ? { replace: message } : { add: message } };
      };
      const { revision } = await stored.change(user, id, withMessage, { fromRecent: true });
      return isOthers || !session ? undefined : { session, revision };
    },
    addAnswer: async (user, id, message, counted) => {
      let from = "";
      const withMessage = ({ last, usage, offers, revision }: StoredConversation) => {
        from = revision;
        // What is replaced was counted.
        if (last?.id === message.id) return { messages: { replace: message } };
        const head = counted && {
          usage: added(usage, counted.used),
          offers: withOffers(offers, counted.offered),
        };
        return { head, messages: { add: message } };
      };
      const { queue, revision } = await stored.change(user, id, withMessage, { fromRecent: true });
      return { queue, revision, from };
    },
    noteEnd: (user, id, turn, { message, answer }) => {
      const { from, revision } = answer;
      if (message?.revision === from) known.set(user, id, revision, turn);
    },
    touch: async (user, id) => void (await stored.change(user, id, () => ({}), { fromRecent: true })),
    every: stored.every,
    beginDelete: async (user, id, { unchangedSince } = {}) => {
      const mark = ({ updatedAt }: StoredConversation) =>
        unchangedSince === undefined || updatedAt === unchangedSince
          ? { head: { isBeingDeleted: true } }
          : undefined;
      return (await stored.change(user, id, mark, { deleted: true })).isBeingDeleted === true;
    },
    delete: async (user, id, options) => {
      known.delete(user, id);
      await forgetSession(records, scopeOf(user, id), options);
      await stored.delete(user, id, options);
    },
    check: async (options) => {
      const value = { askedAt: new Date().toISOString() };
      await records.write(["ready", app], { value }, options);
    },
    queue: messageQueue(stored),
    scopeOf,
  };
}

function withOffers(offers: Offers, offered: readonly string[]): Offers {
  const counts = new Map(Object.entries(offers));
  for (const name of offered) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function shown({ id, agent, title, createdAt, updatedAt, usage }: StoredConversation): Conversation {
  return { id, agent, title, createdAt, updatedAt, usage };
}

function idOfOther(id: string): SkillError {
  const message = `The id "${id}" belongs to the last answer. Give each message an id of its own.`;
  return new SkillError("INPUT_INVALID", message, { details: { message: id } });
}

function taken(id: string): SkillError {
  const message = `You have a conversation "${id}" already. Leave out the id, or choose another one.`;
  return new SkillError("CONFLICT", message, { details: { conversation: id } });
}
