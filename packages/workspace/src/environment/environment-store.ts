import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { byteStream, containedPath, SkillError } from "@skillwright/core";
import type { FileEntry } from "@skillwright/core/adapter";
import { ifThere } from "@skillwright/core/adapter";
import { limitedStream } from "../waiting/limited-stream.js";
import type { EnvironmentKind, NeededPackage } from "./environment-need.js";

const DEFAULT_MAX_BYTES = 4 * 1024 ** 3;
const IN_USE_MS = 60 * 60 * 1000;
const FACTS = "environment.json";

export interface EnvironmentFacts {
  readonly kind: EnvironmentKind;
  /** The skill that it was prepared for first, and its file that locks the packages. */
  readonly skill: string;
  readonly declaredIn: string;
  readonly packages: readonly NeededPackage[];
  /** `EnvironmentNeed.digest` of what it meets. */
  readonly digest: string;
}

export interface StoredEnvironment extends EnvironmentFacts {
  /** 64 hexadecimal digits. */
  readonly key: string;
  readonly files: number;
  readonly bytes: number;
  /** ISO 8601 times. */
  readonly preparedAt: string;
  readonly lastUsedAt: string;
  /** Absolute path of the read-only tree. */
  readonly directory: string;
}

/**
 * Prepared environments in a directory of this machine, for any number of processes. Whoever can write there decides
 * what runs in workspaces.
 */
export interface EnvironmentStore {
  /** Returns an environment and counts that as a use; `undefined` where it is not prepared. */
  find(key: string): Promise<StoredEnvironment | undefined>;
  /** True where the environment is prepared. Does not count as a use. */
  has(key: string): Promise<boolean>;
  /**
   * Stores the tree completely or not at all, even when the process is killed, then makes room. Keeps an existing one.
   * @throws SkillError `LIMIT_EXCEEDED` for a tree above `maxBytes`.
   */
  add(key: string, facts: EnvironmentFacts, files: AsyncIterable<FileEntry>): Promise<StoredEnvironment>;
  /** Most recently used first. */
  list(): Promise<readonly StoredEnvironment[]>;
  /**
   * Removes the least recently used environments until the others have at most `maxBytes`; returns the removed ones.
   * `inUse: false` also removes those that were used in the last hour, which a running command may still need.
   */
  prune(options: {
    readonly maxBytes: number;
    readonly inUse?: boolean;
  }): Promise<readonly StoredEnvironment[]>;
}

/**
 * A store in a directory of this machine. Nothing is created before the first environment is stored.
 * @param options.root Created where it is missing. Defaults to `skillwright/environments` in the user's cache
 * directory, or in `/var/cache` for root.
 * @param options.maxBytes Limit for all environments together; defaults to 4 GiB. Environments used in the last hour are
 * not evicted.
 */
export function environmentStore(options: { root?: string; maxBytes?: number } = {}): EnvironmentStore {
  const { maxBytes = DEFAULT_MAX_BYTES } = options;
  const root = path.resolve(options.root ?? defaultRoot());

  async function read(key: string): Promise<StoredEnvironment | undefined> {
    const file = path.join(directoryOf(root, key), FACTS);
    try {
      const { mtime } = await stat(file);
      const { formatVersion, ...facts } = JSON.parse(await readFile(file, "utf8"));
      if (formatVersion !== 1) return undefined;
      return {
        ...facts,
        key,
        lastUsedAt: mtime.toISOString(),
        directory: path.join(directoryOf(root, key), "tree"),
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw SkillError.from(error, `Reading the prepared environment ${key}`);
    }
  }

  async function has(key: string): Promise<boolean> {
    return await stat(path.join(directoryOf(root, key), FACTS)).then(
      () => true,
      () => false,
    );
  }

  async function find(key: string): Promise<StoredEnvironment | undefined> {
    const found = await read(key);
    const now = new Date();
    // The time only decides what is evicted first.
    if (found) await utimes(path.join(directoryOf(root, key), FACTS), now, now).catch(() => undefined);
    return found;
  }

  async function list(): Promise<readonly StoredEnvironment[]> {
    const names = (await ifThere(readdir(root))) ?? [];
    const all = await Promise.all(names.filter((name) => /^[0-9a-f]{64}$/.test(name)).map(read));
    return all.filter((one) => one !== undefined).sort((a, b) => (a.lastUsedAt < b.lastUsedAt ? 1 : -1));
  }

  async function add(
    key: string,
    facts: EnvironmentFacts,
    files: AsyncIterable<FileEntry>,
  ): Promise<StoredEnvironment> {
    const target = directoryOf(root, key);
    await makeRoot(root);
    await removeParts(key);
    const fresh = `${target}.${randomBytes(6).toString("hex")}.part`;
    try {
      const size = await writeTree(path.join(fresh, "tree"), files, maxBytes);
      const whole = { formatVersion: 1, ...facts, ...size, preparedAt: new Date().toISOString() };
      await writeFile(path.join(fresh, FACTS), JSON.stringify(whole));
      await chmod(fresh, 0o755);
      await rename(fresh, target).catch(async (error: unknown) => {
        if (!(await has(key))) throw error;
      });
    } catch (error) {
      throw SkillError.from(error, "Storing the prepared environment");
    } finally {
      await removeTree(fresh);
    }
    // The environment is stored, whether or not others could be removed; `prune` tells that to whoever calls it.
    await prune({ maxBytes }).catch(() => undefined);
    const stored = await find(key);
    if (stored) return stored;
    throw new SkillError("BACKEND_FAILED", `The prepared environment ${key} was removed at once. Run again.`);
  }

  /** Left by a process that was killed while it stored this environment: only one at a time does. */
  async function removeParts(key: string): Promise<void> {
    for (const name of await readdir(root))
      if (name.startsWith(`${key}.`) && name.endsWith(".part")) await removeTree(path.join(root, name));
  }

  async function prune({ maxBytes: most, inUse = true }: { maxBytes: number; inUse?: boolean }) {
    const removed: StoredEnvironment[] = [];
    const since = new Date(Date.now() - IN_USE_MS).toISOString();
    let total = 0;
    for (const one of await list()) {
      total += one.bytes;
      if (total <= most || (inUse && one.lastUsedAt > since)) continue;
      const trash = `${directoryOf(root, one.key)}.${randomBytes(6).toString("hex")}.part`;
      await rename(directoryOf(root, one.key), trash).catch((error: NodeJS.ErrnoException) => {
        // Another process may have removed it.
        if (error.code !== "ENOENT")
          throw SkillError.from(error, `Removing the prepared environment ${one.key}`);
      });
      await removeTree(trash);
      total -= one.bytes;
      removed.push(one);
    }
    return removed;
  }

  return { find, has, add, list, prune };
}

/** The files of a prepared environment, for a runtime that cannot mount its directory. */
export async function* environmentFiles({ directory }: StoredEnvironment): AsyncIterable<FileEntry> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const executable = ((await stat(file)).mode & 0o100) !== 0;
    yield { path: path.relative(directory, file), executable, content: createReadStream(file) };
  }
}

function defaultRoot(): string {
  const { XDG_CACHE_HOME: cache } = process.env;
  const base = cache || (process.getuid?.() === 0 ? "/var/cache" : path.join(homedir(), ".cache"));
  return path.join(base, "skillwright", "environments");
}

function directoryOf(root: string, key: string): string {
  if (/^[0-9a-f]{64}$/.test(key)) return path.join(root, key);
  throw new SkillError("INPUT_INVALID", "The key of an environment must be 64 hexadecimal digits.");
}

/** Commands of a root host run as another user, who must be able to read what is here. */
async function makeRoot(root: string): Promise<void> {
  const first = await mkdir(root, { recursive: true, mode: 0o700 });
  if (first === undefined || process.getuid?.() !== 0) return;
  for (let one = root; one.length >= first.length; one = path.dirname(one)) await chmod(one, 0o755);
}

/** Directories are closed last, when everything is in them. */
async function writeTree(
  tree: string,
  files: AsyncIterable<FileEntry>,
  maxBytes: number,
): Promise<{ files: number; bytes: number }> {
  const made = new Set<string>([tree]);
  let count = 0;
  let bytes = 0;
  await mkdir(tree, { recursive: true });
  for await (const file of files) {
    const target = path.join(tree, containedPath(file.path));
    for (let above = path.dirname(target); !made.has(above); above = path.dirname(above)) made.add(above);
    await mkdir(path.dirname(target), { recursive: true });
    const handle = await open(target, "wx", 0o600);
    try {
      await writeFile(handle, limitedStream(byteStream(file.content), maxBytes - bytes));
      bytes += (await handle.stat()).size;
      await handle.chmod(file.executable ? 0o555 : 0o444);
    } finally {
      await handle.close();
    }
    count += 1;
  }
  for (const directory of made) await chmod(directory, 0o555);
  return { files: count, bytes };
}

/** Its directories are read-only, which also prevents removing what is in them. */
async function removeTree(directory: string): Promise<void> {
  // If the directory cannot be read, the removal below throws the reason.
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const inside = entries.filter((entry) => entry.isDirectory());
  const closed = [
    ...inside.map((entry) => path.join(entry.parentPath, entry.name)),
    path.join(directory, "tree"),
  ];
  // If a directory stays read-only, the removal below throws the reason.
  for (const one of closed) await chmod(one, 0o700).catch(() => undefined);
  await rm(directory, { recursive: true, force: true });
}
