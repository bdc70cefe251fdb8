import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ifThere } from "@skillwright/core/adapter";
import { processExists } from "../host/process-identity.js";
import { removeTree } from "../storage/remove-tree.js";
import type { FolderTree } from "./folder-tree.js";

const MOST_SNAPSHOTS = 10;
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;

interface StoredSnapshot {
  readonly tree: FolderTree;
  readonly contents: string;
  remove(): Promise<void>;
}

/**
 * The snapshots of one folder, below `own` of the runtime, out of the commands' reach. Those of a folder without a new
 * snapshot for 30 days are removed when another folder gets one.
 */
export interface StoredSnapshots {
  /** `undefined` where there is none. */
  newest(): Promise<StoredSnapshot | undefined>;
  /** Adds what `fill` puts into the directory; the oldest ones beyond ten are removed. */
  add<T extends { readonly tree: FolderTree }>(fill: (contents: string) => Promise<T>): Promise<T>;
}

export function storedSnapshots(own: string, folder: string): StoredSnapshots {
  const all = join(own, "folders");
  const root = join(all, createHash("sha256").update(folder).digest("hex").slice(0, 32));

  async function numbers(): Promise<readonly number[]> {
    const names = (await ifThere(readdir(root))) ?? [];
    return names
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .sort((a, b) => a - b);
  }

  async function newest(): Promise<StoredSnapshot | undefined> {
    const last = (await numbers()).at(-1);
    if (last === undefined) return undefined;
    const directory = join(root, String(last));
    const tree = JSON.parse(await readFile(join(directory, "tree.json"), "utf8")) as FolderTree;
    return { tree, contents: join(directory, "contents"), remove: () => removeTree(directory) };
  }

  async function add<T extends { readonly tree: FolderTree }>(
    fill: (contents: string) => Promise<T>,
  ): Promise<T> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await removeUnused(all);
    for (const name of await readdir(root)) if (isAbandoned(name)) await removeTree(join(root, name));
    const fresh = join(root, `.fresh-${process.pid}-${randomBytes(12).toString("hex")}`);
    try {
      await mkdir(join(fresh, "contents"), { recursive: true, mode: 0o700 });
      const filled = await fill(join(fresh, "contents"));
      await writeFile(join(fresh, "tree.json"), JSON.stringify(filled.tree), { flag: "wx" });
      const known = await numbers();
      await rename(fresh, join(root, String((known.at(-1) ?? 0) + 1)));
      for (const old of known.slice(0, Math.max(0, known.length + 1 - MOST_SNAPSHOTS)))
        await removeTree(join(root, String(old)));
      return filled;
    } catch (error) {
      await removeTree(fresh);
      throw error;
    }
  }

  return { newest, add };
}

/** Snapshots of folders that nobody gave to commands for a month. */
async function removeUnused(all: string): Promise<void> {
  for (const name of await readdir(all)) {
    const { mtimeMs } = await stat(join(all, name));
    if (Date.now() - mtimeMs > UNUSED_MS) await removeTree(join(all, name));
  }
}

/** Left by a process that was killed meanwhile. */
function isAbandoned(name: string): boolean {
  const owner = /^\.fresh-(\d+)-/.exec(name)?.[1];
  return owner !== undefined && !processExists(Number(owner));
}
