import {
  type CallOptions,
  type JsonObject,
  type SessionRecord,
  type SessionScope,
  type SessionStore,
  SkillError,
} from "@skillwright/core";
import { changedSession } from "@skillwright/core/adapter";

/** The part of a `SessionStore` that records other than conversations need. */
export type RecordStore = Pick<SessionStore, "get" | "update" | "delete" | "list">;

export interface StoredRecord {
  readonly value: JsonObject;
  readonly revision: number;
}

/**
 * Plain data in a session store: one record under each scope.
 * @param what Names such a record in errors: `proposal`.
 */
export function storedRecords(store: RecordStore, what: string) {
  const read = async (scope: SessionScope, options: CallOptions): Promise<StoredRecord | undefined> => {
    const record = await store.get(scope, options);
    if (!record) return undefined;
    const value = (record.history.at(-1) ?? {}) as JsonObject;
    if (value["formatVersion"] !== 1) throw unreadable(what, scope);
    return { value, revision: record.revision };
  };

  const write = async (scope: SessionScope, value: object, from: number, options: CallOptions) => {
    const stored = JSON.parse(JSON.stringify({ formatVersion: 1, ...value })) as JsonObject;
    await store.update(scope, { from, history: [stored] }, options);
  };

  return {
    /** `undefined` where there is none. @throws SkillError `BACKEND_FAILED` for a record of a later release. */
    read,
    /** @throws SkillError `CONFLICT` where the record is not at that revision; 0 for a new one. */
    write,
    /** Writes the value over whatever the record contains. If several callers write at the same time, the last one wins. */
    replace: async (scope: SessionScope, value: object, options: CallOptions): Promise<void> => {
      for (;;)
        try {
          return await write(scope, value, (await read(scope, options))?.revision ?? 0, options);
        } catch (error) {
          if (!SkillError.is(error, "CONFLICT")) throw error;
        }
    },
    /** Returns `true` to one of several callers. */
    remove: async (scope: SessionScope, options: CallOptions) => await store.delete(scope, options),
  };
}

/** The records of one process. */
export function recordsInMemory(): RecordStore {
  const held = new Map<string, SessionRecord>();
  const keyOf = ({ app, user, session }: SessionScope) => JSON.stringify([app, user, session]);
  return {
    get: async (scope) => held.get(keyOf(scope)),
    update: async (scope, change) => {
      const record = changedSession(scope, held.get(keyOf(scope)), change);
      held.set(keyOf(scope), record);
      return record;
    },
    delete: async (scope) => held.delete(keyOf(scope)),
    list: async ({ app, user }) =>
      [...held.values()]
        .filter(({ scope }) => scope.app === app && scope.user === user)
        .map(({ scope }) => scope.session)
        .sort(),
  };
}

function unreadable(what: string, { session }: SessionScope): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The stored ${what} "${session}" is damaged or from a later release. Delete its record, or use that release.`,
  );
}
