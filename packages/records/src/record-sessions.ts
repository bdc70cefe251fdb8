import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  applyStateDeltas,
  type CallOptions,
  type JsonValue,
  type RecordStore,
  type SessionScope,
  SkillError,
} from "@skillwright/core";
import { checkAborted, checkArtifactScope, deepFreeze } from "@skillwright/core/adapter";
import { markAfter, NO_HISTORY } from "./history-mark.js";
import { keptHistories } from "./kept-histories.js";
import { readLog } from "./read-log.js";
import { recentValues } from "./recent-values.js";
import type { HistoryMark, SessionOptions, SessionRecord, Sessions } from "./sessions.js";
import { storedValue } from "./stored-value.js";

/** A session without its history, which is a log of the record. */
interface Stored extends Omit<SessionRecord, "history"> {
  /** The log with the messages. A history that replaces another gets a new log. */
  readonly log: string;
  readonly messages: number;
  /** Hash of the messages, as in `HistoryMark`. */
  readonly sha256: string;
  /** A new id for each change. A caller that got no answer can see by it whether its change was made. */
  readonly change: string;
}

interface Head {
  readonly key: readonly string[];
  readonly stored: Stored | undefined;
  readonly revision: string | null;
}

const LOG = "history.";
const MOST_SESSIONS = 100;

/** For each store, the heads that this process read or wrote last. */
const headsOf = new WeakMap<RecordStore, ReturnType<typeof recentValues<Head>>>();
const NOTHING_KEPT = { mark: NO_HISTORY, messages: [] };

/** Keeps conversations of agents in a record store. Messages are appended; only a replaced history is written as a whole. */
export function recordSessions(records: RecordStore): Sessions {
  /** The head that was read or written last. A change that is based on it needs no further read. */
  let last: Head | undefined;
  const histories = keptHistories(records);
  const heads = headsOf.get(records) ?? recentValues<Head>(MOST_SESSIONS);
  headsOf.set(records, heads);

  function remember(head: Head): Head {
    // Callers of `get` have parts of it.
    deepFreeze(head.stored);
    heads.set(head.key, head);
    last = head;
    return head;
  }

  async function head(scope: SessionScope, { known, ...options }: SessionOptions): Promise<Head> {
    const key = keyOf(scope);
    checkAborted(options.signal);
    if (known === "new") return remember({ key, stored: undefined, revision: null });
    const recent = known && heads.get(key);
    if (recent) return remember(recent);
    const { value, revision = null } = await records.get(key, options);
    const stored = value === undefined ? undefined : storedValue<Stored>(value, `session "${scope.session}"`);
    return remember({ key, stored, revision });
  }

  const get: Sessions["get"] = async (scope, { known, ...options } = {}) => {
    for (let before: string | null | undefined; ; ) {
      const isFirst = before === undefined;
      const { stored, revision } = await head(scope, { ...options, known: isFirst ? known : undefined });
      if (!stored) return undefined;
      const history = await historyOf(keyOf(scope), stored, options);
      const { log, messages, sha256, change, ...rest } = stored;
      if (history) return { ...rest, history };
      // If messages are missing, another process replaced the history after this one read the record.
      if (revision === before) throw incomplete(scope);
      before = revision;
    }
  };

  /** The messages of the session, of which only those are read that are not kept. `undefined` if the store lacks some of them. */
  async function historyOf(
    key: readonly string[],
    { log, messages: length, sha256 }: Stored,
    options: CallOptions,
  ): Promise<readonly JsonValue[] | undefined> {
    const mark = { length, sha256 };
    const kept = histories.get(key);
    if (kept?.log === log && kept.mark.length <= length) {
      const more = await readLog(records, key, { log, from: kept.mark.length, length }, options);
      // With another hash, the kept messages are those of a deleted session that had the same id.
      if (more && markAfter(kept.mark, more).sha256 === sha256)
        return histories.keep(key, { log, mark, messages: [...kept.messages, ...more] }, more.length);
    }
    const all = await readLog(records, key, { log, length }, options);
    return all && histories.keep(key, { log, mark, messages: all }, length);
  }

  const update: Sessions["update"] = async (scope, given, options = {}) => {
    // The caller may change its object while this waits. The copy has no fields that are `undefined`, as what a reader gets.
    const change = JSON.parse(JSON.stringify(given)) as typeof given;
    const { append = [], history, stateDelta = {}, snapshot } = change;
    const key = keyOf(scope);
    const isLast = (last?.stored?.revision ?? 0) === change.from && isDeepStrictEqual(last?.key, key);
    for (let seen = isLast ? last : undefined; ; seen = undefined) {
      const { stored, revision } = seen ?? (await head(scope, options));
      if ((stored?.revision ?? 0) !== change.from) throw conflict(scope, change.from, stored?.revision ?? 0);
      const { app, user, session } = scope;
      const isReplaced = history !== undefined || !stored;
      const next = change.from + 1;
      const entries = [...(history ?? []), ...append];
      const log = isReplaced ? `${LOG}${next}` : stored.log;
      const earlier = isReplaced ? NO_HISTORY : markOf(stored);
      const mark = markAfter(earlier, entries);
      const shown = snapshot ?? stored?.snapshot;
      const value: Stored = {
        formatVersion: 1,
        scope: { app, user, session },
        revision: next,
        state: applyStateDeltas(stored?.state ?? {}, [stateDelta]),
        ...(shown && { snapshot: shown }),
        log,
        messages: mark.length,
        sha256: mark.sha256,
        change: randomUUID(),
      };
      const drop = isReplaced ? [LOG] : [];
      const written = {
        from: revision,
        value: value as unknown as JsonValue,
        drop,
        append: { [log]: entries },
      };
      const made = await records.write(key, written, options);
      if (made === undefined) continue;
      remember({ key, stored: value, revision: made });
      const kept = isReplaced ? NOTHING_KEPT : histories.get(key);
      if (kept?.mark.sha256 === earlier.sha256) {
        const messages = [...kept.messages, ...entries];
        histories.keep(key, { log, mark, messages }, entries.length);
      }
      return next;
    }
  };

  return {
    get,
    mark: async (scope, options = {}) => markOf((await head(scope, options)).stored),
    update,
    delete: async (scope, options = {}) => {
      histories.forget(keyOf(scope));
      heads.delete(keyOf(scope));
      return await records.delete(keyOf(scope), options);
    },
  };
}

function markOf(stored: Stored | undefined): HistoryMark {
  return stored ? { length: stored.messages, sha256: stored.sha256 } : NO_HISTORY;
}

function conflict({ session }: SessionScope, from: number, revision: number): SkillError {
  return new SkillError(
    "CONFLICT",
    `The session "${session}" is at revision ${revision}, not ${from}. Read it again and repeat the change.`,
    { details: { revision } },
  );
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
