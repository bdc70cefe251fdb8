import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { type ByteStream, SkillError } from "@skillwright/core";
import { abortable, ifThere } from "@skillwright/core/adapter";
import { limitedStream } from "../waiting/limited-stream.js";
import type { BootstrapCache } from "./bootstrap-cache.js";

const DEFAULT_MAX_BYTES = 4 * 1024 ** 3;
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/**
 * A cache in a directory of this machine, for any number of processes. Evicts the least recently used results first.
 * @param options.root Created where it is missing, accessible to this user only. Only the application may write there.
 * @param options.maxBytes Limit for all results together; defaults to 4 GiB. A larger result is refused with
 * `LIMIT_EXCEEDED`.
 */
export function fsBootstrapCache(options: { root: string; maxBytes?: number }): BootstrapCache {
  const { maxBytes = DEFAULT_MAX_BYTES } = options;
  const root = path.resolve(options.root);
  return {
    async get(key, { signal } = {}) {
      const file = fileOf(root, key);
      const now = new Date();
      try {
        await utimes(file, now, now);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw SkillError.from(error, "Reading the bootstrap cache");
      }
      return abortable(opened(file), signal);
    },

    async put(key, content, { signal } = {}) {
      const target = fileOf(root, key);
      await mkdir(root, { recursive: true, mode: 0o700 });
      const fresh = path.join(root, `${key}.${randomBytes(6).toString("hex")}.part`);
      try {
        await writeWhole(fresh, limitedStream(abortable(content, signal), maxBytes));
        await rename(fresh, target);
      } catch (error) {
        await rm(fresh, { force: true });
        throw SkillError.from(error, "Writing the bootstrap cache");
      }
      await makeRoom(root, maxBytes);
    },
  };
}

/** Opened on the first read, so that an unread stream leaves no open file. */
async function* opened(file: string): ByteStream {
  yield* createReadStream(file);
}

function fileOf(root: string, key: string): string {
  if (/^[0-9a-f]{64}$/.test(key)) return path.join(root, `${key}.tar`);
  throw new SkillError("INPUT_INVALID", "A key of the bootstrap cache must be 64 hexadecimal digits.");
}

async function writeWhole(file: string, content: ByteStream): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await writeFile(handle, content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Other processes may evict at the same time, so missing files are ignored. A reader with an open file can read it to
 * the end.
 */
async function makeRoom(root: string, maxBytes: number): Promise<void> {
  const files = await Promise.all(
    (await readdir(root)).map(async (name) => {
      const file = path.join(root, name);
      const stats = await ifThere(lstat(file));
      return { file, usedMs: stats?.mtimeMs ?? 0, size: stats?.size ?? 0 };
    }),
  );
  let total = 0;
  for (const { file, usedMs, size } of files.sort((a, b) => b.usedMs - a.usedMs)) {
    if (file.endsWith(".tar")) total += size;
    const isAbandoned = file.endsWith(".part") && usedMs < Date.now() - ABANDONED_MS;
    if (isAbandoned || (file.endsWith(".tar") && total > maxBytes)) await rm(file, { force: true });
  }
}
