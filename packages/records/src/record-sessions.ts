import {
  type CallOptions,
  type JsonValue,
  type RecordStore,
  type SessionRecord,
  type SessionScope,
  type SessionStore,
  SkillError,
} from "@skillwright/core";
import { changedSession, checkArtifactScope } from "@skillwright/core/adapter";
import { everyRecord } from "./every-record.js";
import { storedValue } from "./stored-value.js";

/** A session without its history, which is a log of the record. */
interface Stored extends Omit<SessionRecord, "history"> {
  /** The log with the messages. A history that replaces another gets a new log. */
  readonly log: string;
  readonly messages: number;
}

const LOG = "history.";
/** Messages that are read at once. */
const PAGE = 1000;

/** Stores conversations in a record store. Messages are appended; only a replaced history is written as a whole. */
export function recordSessions(records: RecordStore): SessionStore {
  async function read(scope: SessionScope, options: CallOptions) {
    const key = keyOf(scope);
    for (let before: string | undefined; ; ) {
      const { value, revision, nowMs } = await records.get(key, options);
      if (value === undefined) return { key, revision: null, nowMs };
      const { log, messages, ...rest } = storedValue<Stored>(value, `session "${scope.session}"`);
      const history = await messagesOf(key, { log, messages }, options);
      // If messages are missing, another process replaced the history after this one read the record.
      if (!history && revision === before) throw incomplete(scope);
      before = revision;
      if (history) return { key, revision: revision ?? null, nowMs, log, session: { ...rest, history } };
    }
  }

  async function messagesOf(
    key: readonly string[],
    { log, messages }: Pick<Stored, "log" | "messages">,
    { signal }: CallOptions,
  ): Promise<readonly JsonValue[] | undefined> {
    const history: JsonValue[] = [];
    while (history.length < messages) {
      const limit = Math.min(PAGE, messages - history.length);
      const more = await records.read(key, log, { from: history.length, limit, signal });
      if (more.length === 0) return undefined;
      history.push(...more);
    }
    return history;
  }

  const update: SessionStore["update"] = async (scope, given, options = {}) => {
    // The caller may change its object while this waits.
    const change = structuredClone(given);
    for (;;) {
      const { key, revision, nowMs, log: before, session } = await read(scope, options);
      const after = { ...changedSession(scope, session, change), updatedAt: new Date(nowMs).toISOString() };
      const { history, ...rest } = after;
      const isReplaced = change.history !== undefined || before === undefined;
      const log = isReplaced ? `${LOG}${after.revision}` : before;
      const value = { ...rest, log, messages: history.length } satisfies Stored as unknown as JsonValue;
      const entries = isReplaced ? history : (change.append ?? []);
      const drop = isReplaced ? [LOG] : [];
      if (await records.write(key, { from: revision, value, drop, append: { [log]: entries } }, options))
        return after;
    }
  };

  const list: SessionStore["list"] = async (scope, options) => {
    const { app, user } = checkArtifactScope(scope);
    const sessions: string[] = [];
    for await (const { name } of everyRecord(records, ["session", app, user], options)) sessions.push(name);
    return sessions.sort();
  };

  async function close(): Promise<void> {}

  return {
    get: async (scope, options = {}) => (await read(scope, options)).session,
    update,
    delete: async (scope, options = {}) => await records.delete(keyOf(scope), options),
    list,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function incomplete({ session }: SessionScope): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The history of the session "${session}" is incomplete in the store. Restore it, or delete the session.`,
  );
}

function keyOf(scope: SessionScope): readonly string[] {
  const { app, user, session } = checkArtifactScope(scope);
  return ["session", app, user, session];
}
