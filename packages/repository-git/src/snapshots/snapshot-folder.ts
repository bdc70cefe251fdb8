import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";

/**
 * The commits of one address that are on this machine, each in a bare repository of its own that never changes once it is
 * there. So readers need no lock, two processes that fetch one commit at once get one of two equal folders, and a process
 * that is killed leaves a folder nobody looks at.
 */
export interface SnapshotFolder {
  readonly directory: string;
  /** @throws SkillError `CONFIG_INVALID` where another user made the folder, and so decides what is in it. */
  checkOwner(): Promise<void>;
  /** The repository with this commit, marked as used now; `undefined` where it is not there. */
  find(commit: string): Promise<string | undefined>;
  /** An empty folder on the same disk. `keep` or `discard` it. */
  prepare(): Promise<string>;
  /** Puts a prepared repository in place, or finds that another process did. Removes what nobody used for a month. */
  keep(prepared: string, commit: string): Promise<string>;
  discard(prepared: string): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const UNUSED_MS = 30 * DAY_MS;
const MAKING_PREFIX = "making-";
const SUFFIX = ".git";

/** @param identity Everything that tells one address from others; it does not show in the folder's name. */
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
      // A cache that may only be read is one as well.
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
    for (const name of await readdir(directory).catch(() => [])) {
      const patience = name.startsWith(MAKING_PREFIX)
        ? DAY_MS
        : name.endsWith(SUFFIX)
          ? UNUSED_MS
          : undefined;
      const place = join(directory, name);
      const found = patience === undefined ? undefined : await stat(place).catch(() => undefined);
      if (found && Date.now() - found.mtimeMs > (patience ?? 0)) await remove(place).catch(() => undefined);
    }
  }

  /** Out of sight first, so that a process that is killed meanwhile leaves no half of a repository. */
  async function remove(place: string): Promise<void> {
    const gone = join(directory, MAKING_PREFIX + randomUUID());
    await rename(place, gone);
    await discard(gone);
  }

  return { directory, checkOwner, find, prepare, keep, discard };
}
