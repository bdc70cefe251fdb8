import { createHash } from "node:crypto";
import { mkdir, readdir, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { SessionRecord, SessionScope, SessionStore } from "@skillwright/core";
import { attempts, changedSession, checkAborted, checkArtifactScope } from "@skillwright/core/adapter";
import { ignoreGone } from "./files/errno.js";
import { removeLeftovers } from "./files/leftovers.js";
import { withRegularFile } from "./files/regular-file.js";
import { replaceFile } from "./files/replace-file.js";
import { storedRecord } from "./files/stored-record.js";
import { inRegistryFolder, leaveRegistryFolder } from "./registry/registry-folder.js";

export interface FsSessionsOptions {
  /**
   * A directory for these conversations only, such as `~/.skillwright/sessions`; created with the first one, accessible
   * to this user only.
   */
  readonly root: string;
}

const RECORD = "session.json";

/**
 * Stores conversations in a directory, one file each, for all processes of this machine. A change replaces the file
 * atomically. A conversation can also be deleted by deleting its directory.
 * @throws SkillError `BACKEND_FAILED` from every call where the directory or a record cannot be read or written.
 */
export function fsSessions(options: FsSessionsOptions): SessionStore {
  const root = resolve(options.root);
  const attempt = attempts(root);

  const get: SessionStore["get"] = (scope, { signal } = {}) =>
    attempt("Reading a session", signal, async () => {
      return await read(folderOf(scope));
    });

  const update: SessionStore["update"] = (scope, given, { signal } = {}) =>
    attempt("Keeping a session", signal, async () => {
      const folder = folderOf(scope);
      // The caller may change its object while this waits.
      const change = structuredClone(given);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return await inRegistryFolder(folder, signal, async () => {
        const after = changedSession(scope, await read(folder), change);
        await removeLeftovers(folder);
        await write(folder, after);
        return after;
      });
    });

  const remove: SessionStore["delete"] = (scope, { signal } = {}) =>
    attempt("Forgetting a session", signal, async () => {
      const folder = folderOf(scope);
      const removed = await unlink(join(folder, RECORD)).then(() => true, ignoreGone);
      if (removed) await leaveRegistryFolder(folder);
      return removed ?? false;
    });

  const list: SessionStore["list"] = (scope, { signal } = {}) =>
    attempt("Listing sessions", signal, async () => {
      const folder = userFolder(scope);
      const names = (await readdir(folder).catch(ignoreGone)) ?? [];
      const sessions: string[] = [];
      for (const name of names) {
        checkAborted(signal);
        const record = await read(join(folder, name));
        if (record) sessions.push(record.scope.session);
      }
      return sessions.sort();
    });

  async function close(): Promise<void> {}

  return { get, update, delete: remove, list, close, [Symbol.asyncDispose]: close };

  function userFolder(scope: Pick<SessionScope, "app" | "user">): string {
    const { app, user } = checkArtifactScope(scope);
    return join(root, hashed([app, user]));
  }

  function folderOf(scope: SessionScope): string {
    return join(userFolder(scope), hashed([checkArtifactScope(scope).session]));
  }
}

/** Maps any names to short plain ones that no file system confuses. */
function hashed(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

async function read(folder: string): Promise<SessionRecord | undefined> {
  const path = join(folder, RECORD);
  const text = await withRegularFile(path, async ({ stat, read: readBytes }) =>
    new TextDecoder().decode(await readBytes(new Uint8Array(Number(stat.size)))),
  );
  return text === undefined ? undefined : storedRecord<SessionRecord>(text, path, "updatedAt");
}

async function write(folder: string, record: SessionRecord): Promise<void> {
  await replaceFile(join(folder, RECORD), `${JSON.stringify(record)}\n`, { mode: 0o600 });
}
