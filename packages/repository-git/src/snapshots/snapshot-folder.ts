import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";

/**
 * The cached commits of one URL, each in its own bare repository that never changes. So readers need no lock, two
 * processes that fetch one commit concurrently get one of two equal folders, and a killed process leaves only an unused
 * folder.
 */
export interface SnapshotFolder {
  readonly directory: string;
  /** @throws SkillError `CONFIG_INVALID` where another user created the folder and so controls its content. */
  checkOwner(): Promise<void>;
  /** The repository with this commit, marked as used now; `undefined` where it is not cached. */
  find(commit: string): Promise<string | undefined>;
  /** Creates an empty folder on the same disk. Pass it to `keep` or `discard`. */
  prepare(): Promise<string>;
  /**
   * Moves a prepared repository into place, unless another process already did. Removes repositories that were unused
   * for a month.
   */
  keep(prepared: string, commit: string): Promise<string>;
  discard(prepared: string): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const UNUSED_MS = 30 * DAY_MS;
const MAKING_PREFIX = "making-";
const SUFFIX = ".git";

/** @param identity Everything that distinguishes one URL from others; it is not visible in the folder's name. */
export function snapshotFolder(cache: string, identity: string, description: string): SnapshotFolder {
  const key = createHash("sha256").update(`1\0${identity}`).digest("hex").slice(0, 32);
  const directory = join(cache, key);
  const placeOf = (commit: string): string => join(directory, commit + SUFFIX);

  async function checkOwner(): Promise<void> {
    const owner = await stat(directory).then(
      ({ uid }) => uid,
      () => undefined,
    );
    if (owner === undefined || owner === 0 || owner === (process.getuid?.() ?? owner)) return;
    const message = `The cache ${directory} belongs to another user. Give a folder of your own as the option cache.`;
    throw new SkillError("CONFIG_INVALID", message);
  }

  async function find(commit: string): Promise<string | undefined> {
    const place = placeOf(commit);
    try {
      const now = new Date();
      await utimes(place, now, now);
      return place;
    } catch {
      // A read-only cache is supported, too.
      return await access(join(place, "HEAD")).then(
        () => place,
        () => undefined,
      );
    }
  }

  async function prepare(): Promise<string> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const prepared = join(directory, MAKING_PREFIX + randomUUID());
    await mkdir(prepared, { mode: 0o700 });
    return prepared;
  }

  async function keep(prepared: string, commit: string): Promise<string> {
    const place = placeOf(commit);
    await writeFile(join(prepared, "description"), `${description}\n`);
    try {
      await rename(prepared, place);
    } catch (error) {
      await discard(prepared);
      if ((await find(commit)) === undefined) throw error;
    }
    await removeUnused();
    return place;
  }

  async function discard(prepared: string): Promise<void> {
    await rm(prepared, { recursive: true, force: true });
  }

  /** What cannot be removed now is removed another time. */
  async function removeUnused(): Promise<void> {
    // A directory that is missing contains nothing to remove. One that cannot be read is tried again at the next call.
    for (const name of await readdir(directory).catch(() => [])) {
      const patience = name.startsWith(MAKING_PREFIX)
        ? DAY_MS
        : name.endsWith(SUFFIX)
          ? UNUSED_MS
          : undefined;
      const place = join(directory, name);
      // Another process may have removed it.
      const found = patience === undefined ? undefined : await stat(place).catch(() => undefined);
      // What cannot be removed now is removed another time.
      if (found && Date.now() - found.mtimeMs > (patience ?? 0)) await remove(place).catch(() => undefined);
    }
  }

  /** Renamed first, so that a killed process never leaves a partial repository under its name. */
  async function remove(place: string): Promise<void> {
    const gone = join(directory, MAKING_PREFIX + randomUUID());
    await rename(place, gone);
    await discard(gone);
  }

  return { directory, checkOwner, find, prepare, keep, discard };
}
