import { type CallOptions, type JsonValue, type RecordStore, SkillError } from "@skillwright/core";
import {
  type RecordValue,
  type RecordValueChange,
  readLog,
  recentValues,
  recordValues,
  storeClock,
} from "@skillwright/records";
import type { StoredMessage } from "../turns/ui-message.js";
import { type Conversation, NO_USE } from "./conversation.js";
import { knownUsers } from "./known-users.js";
import type { QueuedMessage } from "./message-queue.js";

/** What is stored of a conversation besides its messages. */
export interface ConversationHead extends Omit<Conversation, "id"> {
  /** In how many turns each skill was offered to the model, by the name of the skill. */
  readonly offers: Readonly<Record<string, number>>;
  /** Messages that wait for the end of a turn, oldest first. */
  readonly queue: readonly QueuedMessage[];
  readonly isBeingDeleted?: boolean | undefined;
  /** The log with the messages, and its length. Messages that replace all others get a new log. */
  readonly log: string;
  readonly entries: number;
  readonly last?: Pick<StoredMessage, "id" | "role"> | undefined;
}

/** A message that was added, or that takes the place of the one with its id. */
interface Entry {
  readonly message: StoredMessage;
  readonly replaces?: boolean | undefined;
}

/** What a change makes of the messages: `add` appends one, `replace` puts one in the place of that with its id, `all` has all of them. */
type MessageChange =
  | { readonly add: StoredMessage }
  | { readonly replace: StoredMessage }
  | { readonly all: readonly StoredMessage[] };

interface ConversationChange {
  readonly head?: Partial<ConversationHead> | undefined;
  readonly messages?: MessageChange | undefined;
}

type Changed = ConversationChange | undefined;

export type StoredConversation = ConversationHead & { readonly id: string; readonly revision: string };

const LOG = "messages.";

/** The records of conversations: a head for each, and a log with its messages, which is only added to. */
export function storedConversations(records: RecordStore, app: string) {
  const heads = recordValues<ConversationHead>(records, "conversation");
  const of = (user: string) => ["conversation", app, user];
  /** The conversations as this process read or wrote them last. */
  const recent = recentValues<RecordValue<ConversationHead>>();
  const clock = storeClock(records);
  const users = knownUsers(records, app);

  /** Returns `undefined` if the user has a conversation with this id already. */
  async function create(
    user: string,
    id: string,
    given: Pick<ConversationHead, "agent" | "title">,
    options?: CallOptions,
  ): Promise<StoredConversation | undefined> {
    const key = [...of(user), id];
    const nowMs = clock.now() ?? clock.read(await records.get(key, options)).nowMs;
    const createdAt = new Date(nowMs).toISOString();
    const made = { ...given, createdAt, updatedAt: createdAt, usage: NO_USE, offers: {}, queue: [] };
    const head: ConversationHead = { ...made, log: `${LOG}1`, entries: 0 };
    const revision = await heads.put(key, head, { from: null }, options);
    if (revision === undefined) return undefined;
    recent.set([user, id], { value: head, revision });
    await users.add(user, options);
    return { id, ...head, revision };
  }

  /** @param options.recent True to get the conversation as this process read or wrote it last, which reads nothing. */
  async function get(
    user: string,
    id: string,
    options: CallOptions & { readonly recent?: boolean } = {},
  ): Promise<StoredConversation> {
    const known = options.recent ? recent.get([user, id]) : undefined;
    if (known && !known.value.isBeingDeleted) return { id, ...known.value, revision: known.revision };
    const found = await heads.get([...of(user), id], options);
    if (!found || found.value.isBeingDeleted) throw notFound(id);
    recent.set([user, id], found);
    return { id, ...found.value, revision: found.revision };
  }

  /**
   * Changes a conversation. If another process changes it at the same time, `next` is called again with the changed one.
   * @param next Returns the change, or `undefined` to change nothing.
   * @param options.deleted True to change also a conversation that is being deleted.
   * @param options.fromRecent True to give `next` the conversation as this process read or wrote it last, without reading it again. If
   * another process has changed it since, or if `next` wants no change or throws, `next` is called again with the present one.
   */
  async function change(
    user: string,
    id: string,
    next: (now: StoredConversation) => Changed | Promise<Changed>,
    {
      deleted = false,
      fromRecent = false,
      ...options
    }: CallOptions & { readonly deleted?: boolean; readonly fromRecent?: boolean } = {},
  ): Promise<StoredConversation> {
    const nowMs = clock.now();
    const known = fromRecent ? recent.get([user, id]) : undefined;
    let seen = known && nowMs !== undefined ? { ...known, nowMs } : undefined;
    const ask = async (found: (RecordValue<ConversationHead> & { readonly nowMs: number }) | undefined) => {
      if (!found || (found.value.isBeingDeleted && !deleted)) throw notFound(id);
      const { value, revision } = found;
      return { ...found, wanted: await next({ id, ...value, revision }) };
    };
    for (; ; seen = undefined) {
      // A conversation that may have changed since counts only for a change, which is refused if it has.
      const asked = seen
        ? await ask(seen).catch(() => undefined)
        : await ask(await heads.get([...of(user), id], options));
      if (!asked || (seen && !asked.wanted)) continue;
      const { value: before, revision, wanted } = asked;
      if (!wanted) return { id, ...before, revision };
      const { placed, logs } = changedMessages(before, wanted.messages);
      const updatedAt = new Date(asked.nowMs).toISOString();
      const head = { ...before, ...wanted.head, ...placed, updatedAt };
      const made = await heads.put([...of(user), id], head, { ...logs, from: revision }, options);
      if (made === undefined) continue;
      recent.set([user, id], { value: head, revision: made });
      return { id, ...head, revision: made };
    }
  }

  async function messages(
    user: string,
    { id, log, entries }: StoredConversation,
    options: CallOptions = {},
  ): Promise<readonly StoredMessage[]> {
    const read = await readLog(records, [...of(user), id], { log, length: entries }, options);
    if (!read) {
      // Another process has replaced the messages, or deleted the conversation and perhaps made another one.
      const now = await get(user, id, options);
      if (now.log === log && now.entries >= entries) throw incomplete(id);
      return await messages(user, now, options);
    }
    const all: StoredMessage[] = [];
    for (const { message, replaces } of read as unknown as readonly Entry[]) {
      const place = replaces ? all.findLastIndex((one) => one.id === message.id) : -1;
      if (place < 0) all.push(message);
      else all[place] = message;
    }
    return all;
  }

  /** All conversations of the user, the last changed ones first. */
  async function* list(user: string, { signal }: CallOptions = {}): AsyncGenerator<StoredConversation> {
    for await (const { name: id, value, revision } of heads.list(of(user), { order: "newest", signal }))
      yield { id, ...value, revision };
  }

  return {
    create,
    get,
    change,
    messages,
    /** A part of the conversations, the last changed ones first. */
    page: async (
      user: string,
      options: CallOptions & { readonly after?: string | undefined; readonly limit: number },
    ) => {
      const { values, next } = await heads.page(of(user), { ...options, order: "newest" });
      return {
        conversations: values.map(
          ({ name: id, value, revision }): StoredConversation => ({ id, ...value, revision }),
        ),
        next,
      };
    },
    list,
    /** All conversations of all users, also those that are being deleted. */
    every: async function* (
      options?: CallOptions,
    ): AsyncGenerator<StoredConversation & { readonly user: string }> {
      for await (const user of users.list(options))
        for await (const one of list(user, options)) yield { ...one, user };
    },
    delete: async (user: string, id: string, options?: CallOptions) => {
      recent.delete([user, id]);
      await heads.delete([...of(user), id], options);
      const hasNone = async () => (await heads.page(of(user), { ...options, limit: 1 })).values.length === 0;
      await users.removeIf(user, hasNone, options);
    },
  };
}

function changedMessages(
  { log, entries }: ConversationHead,
  wanted: MessageChange | undefined,
): { placed: Partial<ConversationHead>; logs: RecordValueChange } {
  if (!wanted) return { placed: {}, logs: {} };
  if ("all" in wanted) {
    const other = `${LOG}${Number(log.slice(LOG.length)) + 1}`;
    const placed = { log: other, entries: wanted.all.length, last: lastOf(wanted.all.at(-1)) };
    return {
      placed,
      logs: { drop: [LOG], append: { [other]: wanted.all.map((message) => stored({ message })) } },
    };
  }
  const entry: Entry =
    "add" in wanted ? { message: wanted.add } : { message: wanted.replace, replaces: true };
  const last = "add" in wanted && { last: lastOf(wanted.add) };
  return { placed: { entries: entries + 1, ...last }, logs: { append: { [log]: [stored(entry)] } } };
}

function lastOf(message: StoredMessage | undefined): ConversationHead["last"] {
  return message && { id: message.id, role: message.role };
}

function stored(entry: Entry): JsonValue {
  return entry as unknown as JsonValue;
}

function incomplete(id: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The messages of the conversation "${id}" are incomplete in the store. Restore them, or delete the conversation.`,
  );
}

function notFound(id: string): SkillError {
  return new SkillError(
    "SESSION_NOT_FOUND",
    `You have no conversation "${id}". List your conversations, or create one.`,
    { details: { conversation: id } },
  );
}
