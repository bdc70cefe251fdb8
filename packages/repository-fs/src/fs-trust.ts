import { createHash } from "node:crypto";
import { mkdir, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { RevocableTrustStore } from "@skillwright/core";
import { attempts } from "@skillwright/core/adapter";
import { ignoreGone } from "./files/errno.js";
import { removeLeftovers } from "./files/leftovers.js";
import { withRegularFile } from "./files/regular-file.js";
import { replaceFile } from "./files/replace-file.js";
import { storedRecord } from "./files/stored-record.js";

export interface FsTrustOptions {
  /**
   * A directory for these approvals only, such as `~/.skillwright/trust`; created with the first one, accessible to
   * this user only.
   */
  readonly root: string;
}

interface TrustRecord {
  readonly formatVersion: 1;
  readonly digest: string;
  readonly source: string;
  /** ISO 8601 time. */
  readonly allowedAt: string;
}

/**
 * Stores approvals in a directory, one small file each, for all processes of this user. Read the files to see what was
 * approved; delete a file to revoke its approval.
 * @throws SkillError `BACKEND_FAILED` from every call where the directory or a record cannot be read or written.
 */
export function fsTrust(options: FsTrustOptions): RevocableTrustStore {
  const root = resolve(options.root);
  const attempt = attempts(root);

  const isAllowed: RevocableTrustStore["isAllowed"] = (digest, source, { signal } = {}) =>
    attempt("Looking up an approval", signal, async () => {
      const path = fileOf(digest, source);
      const text = await withRegularFile(path, async ({ stat, read }) =>
        new TextDecoder().decode(await read(new Uint8Array(Number(stat.size)))),
      );
      if (text === undefined) return false;
      const record = storedRecord<TrustRecord>(text, path, "digest");
      return record.digest === digest && record.source === source;
    });

  const allow: RevocableTrustStore["allow"] = (digest, source, { signal } = {}) =>
    attempt("Remembering an approval", signal, async () => {
      await mkdir(root, { recursive: true, mode: 0o700 });
      await removeLeftovers(root);
      const record: TrustRecord = { formatVersion: 1, digest, source, allowedAt: new Date().toISOString() };
      await replaceFile(fileOf(digest, source), `${JSON.stringify(record)}\n`, { mode: 0o600 });
    });

  const revoke: RevocableTrustStore["revoke"] = (digest, source, { signal } = {}) =>
    attempt("Taking an approval back", signal, async () => {
      return (await unlink(fileOf(digest, source)).then(() => true, ignoreGone)) ?? false;
    });

  async function close(): Promise<void> {}

  return { isAllowed, allow, revoke, close, [Symbol.asyncDispose]: close };

  /** Named by a hash, since a source may have any name. */
  function fileOf(digest: string, source: string): string {
    const name = createHash("sha256")
      .update(JSON.stringify([digest, source]))
      .digest("hex");
    return join(root, `${name}.json`);
  }
}
