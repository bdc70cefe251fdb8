import type { CallOptions, SessionRecord, SessionScope, SessionStore } from "@skillwright/core";
import {
  changedSession,
  checkAborted,
  checkArtifactScope,
  type SessionChange,
} from "@skillwright/core/adapter";
import { copyOf } from "./copy-of.js";

/** Stores conversations in this process's memory. */
export function memorySessions(): SessionStore {
  const records = new Map<string, SessionRecord>();

  async function get(scope: SessionScope, { signal }: CallOptions = {}): Promise<SessionRecord | undefined> {
    checkAborted(signal);
    return copyOf(records.get(keyOf(scope)));
  }

  async function update(
    scope: SessionScope,
    change: SessionChange,
    { signal }: CallOptions = {},
  ): Promise<SessionRecord> {
    checkAborted(signal);
    const key = keyOf(scope);
    const after = changedSession(scope, records.get(key), change);
    records.set(key, copyOf(after));
    // The caller may change it: the stored record is a copy, and the one before is no longer stored.
    return after;
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

function keyOf(scope: SessionScope): string {
  const { app, user, session } = checkArtifactScope(scope);
  return JSON.stringify([app, user, session]);
}
