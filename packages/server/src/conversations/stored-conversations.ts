import { type CallOptions, type JsonValue, type RecordStore, SkillError } from "@skillwright/core";
import { type RecordValueChange, readLog, recordValues } from "@skillwright/records";
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

/** A conversation as this process read or wrote it last. */
interface Reading {
  readonly value: ConversationHead;
  readonly revision: string;
  /** The time of the store's clock minus that of this machine's clock, in milliseconds. */
  readonly aheadMs: number;
}

type Changed = ConversationChange | undefined;

export type StoredConversation = ConversationHead & { readonly id: string };

const LOG = "messages.";
const MOST_RECENT = 1000;

/** The records of conversations: a head for each, and a log with its messages, which is only added to. */
export function storedConversations(records: RecordStore, app: string) {
  const heads = recordValues<ConversationHead>(records, "conversation");
  const of = (user: string) => ["conversation", app, user];
  const recent = new Map<string, Reading>();
  const users = knownUsers(records, app);

  function remember(
    user: string,
    id: string,
    value: ConversationHead,
    revision: string,
    nowMs: number,
  ): void {
    const place = JSON.stringify([user, id]);
    recent.delete(place);
    recent.set(place, { value, revision, aheadMs: nowMs - Date.now() });
    const [oldest] = recent.keys();
    if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest);
  }

  /** Returns `undefined` if the user has a conversation with this id already. */
  async function create(
    user: string,
    id: string,
    given: Pick<ConversationHead, "agent" | "title">,
    options?: CallOptions,
  ): Promise<StoredConversation | undefined> {
    const createdAt = new Date().toISOString();
    const made = { ...given, createdAt, updatedAt: createdAt, usage: NO_USE, offers: {}, queue: [] };
    const head: ConversationHead = { ...made, log: `${LOG}1`, entries: 0 };
    if (!(await heads.put([...of(user), id], head, { from: null }, options))) return undefined;
    await users.add(user, options);
    return { id, ...head };
  }

  async function get(user: string, id: string, options?: CallOptions): Promise<StoredConversation> {
    const found = await heads.get([...of(user), id], options);
    if (!found || found.value.isBeingDeleted) throw notFound(id);
    remember(user, id, found.value, found.revision, found.nowMs);
    return { id, ...found.value };
  }

  /**
   * Changes a conversation. If another process changes it at the same time, `next` is called again with the changed one.
   * @param next Returns the change, or `undefined` to change nothing.
   * @param options.deleted True to change also a conversation that is being deleted.
   * @param options.fromRecent True to give `next` the conversation as this process read or wrote it last, without reading it again. If
   * another process has changed it since, `next` is called again with the present one. Use it only if `next` always makes a change.
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
    const known = fromRecent ? recent.get(JSON.stringify([user, id])) : undefined;
    let seen = known && { ...known, nowMs: known.aheadMs + Date.now() };
    for (; ; seen = undefined) {
      const found = seen ?? (await heads.get([...of(user), id], options));
      if (!found || (found.value.isBeingDeleted && !deleted)) throw notFound(id);
      const { value: before, revision, nowMs } = found;
      const wanted = await next({ id, ...before });
      if (!wanted) return { id, ...before };
      const { placed, logs } = changedMessages(before, wanted.messages);
      const head = { ...before, ...wanted.head, ...placed, updatedAt: new Date(nowMs).toISOString() };
      const made = await heads.put([...of(user), id], head, { ...logs, from: revision }, options);
      if (made === undefined) continue;
      remember(user, id, head, made, nowMs);
      return { id, ...head };
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
    for await (const { name: id, value } of heads.list(of(user), { order: "newest", signal }))
      yield { id, ...value };
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
        conversations: values.map(({ name: id, value }): StoredConversation => ({ id, ...value })),
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
