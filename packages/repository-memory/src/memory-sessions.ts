import {
  applyStateDeltas,
  type CallOptions,
  checkAborted,
  checkArtifactScope,
  type SessionChange,
  type SessionRecord,
  type SessionScope,
  type SessionStore,
  SkillError,
} from "@skillwright/core";

/** Conversations in this process's memory, gone with it. */
export function memorySessions(): SessionStore {
  const records = new Map<string, SessionRecord>();

  async function get(scope: SessionScope, { signal }: CallOptions = {}): Promise<SessionRecord | undefined> {
    checkAborted(signal);
    return structuredClone(records.get(keyOf(scope)));
  }

  async function update(
    scope: SessionScope,
    change: SessionChange,
    { signal }: CallOptions = {},
  ): Promise<SessionRecord> {
    checkAborted(signal);
    const key = keyOf(scope);
    const before = records.get(key);
    const revision = before?.revision ?? 0;
    if (revision !== change.from) throw conflict(scope, change.from, revision);
    const after = structuredClone(changed(scope, before, change));
    records.set(key, after);
    return structuredClone(after);
  }

  async function remove(scope: SessionScope, { signal }: CallOptions = {}): Promise<boolean> {
    checkAborted(signal);
    return records.delete(keyOf(scope));
  }

  async function list(
    scope: Pick<SessionScope, "app" | "user">,
    { signal }: CallOptions = {},
  ): Promise<readonly string[]> {
    checkAborted(signal);
    const { app, user } = checkArtifactScope(scope);
    const own = [...records.values()].filter(
      (record) => record.scope.app === app && record.scope.user === user,
    );
    return own.map((record) => record.scope.session).sort();
  }

  async function close(): Promise<void> {}

  return { get, update, delete: remove, list, close, [Symbol.asyncDispose]: close };
}

function changed(
  scope: SessionScope,
  before: SessionRecord | undefined,
  change: SessionChange,
): SessionRecord {
  const { app, user, session } = scope;
  const snapshot = change.snapshot ?? before?.snapshot;
  return {
    formatVersion: 1,
    scope: { app, user, session },
    revision: change.from + 1,
    history: [...(change.history ?? before?.history ?? []), ...(change.append ?? [])],
    state: applyStateDeltas(before?.state ?? {}, change.stateDelta ? [change.stateDelta] : []),
    ...(snapshot && { snapshot }),
    updatedAt: new Date().toISOString(),
  };
}

function keyOf(scope: SessionScope): string {
  const { app, user, session } = checkArtifactScope(scope);
  return JSON.stringify([app, user, session]);
}

function conflict({ session }: SessionScope, from: number, revision: number): SkillError {
  return new SkillError(
    "CONFLICT",
    `The session "${session}" is at revision ${revision}, not ${from}. Read it again and repeat the change.`,
    { details: { revision } },
  );
}
