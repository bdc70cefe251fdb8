import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { ignoreGone } from "../files/errno.js";
import { replaceFile } from "../files/replace-file.js";
import { entryOf, hasTree } from "./content-entry.js";

/** Stored beside the entries, whose directories have names of two digits. */
const FOLDER = "aliases";

interface StoredAlias {
  readonly formatVersion: 1;
  readonly alias: string;
  readonly digest: string;
}

/** Atomic: a reader sees the former digest or this one. */
export async function writeAlias(root: string, alias: string, digest: string): Promise<void> {
  if ((await aliasedDigest(root, alias)) === digest) return;
  const folder = join(root, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stored: StoredAlias = { formatVersion: 1, alias, digest };
  await replaceFile(aliasFile(root, alias), JSON.stringify(stored), { beside: root, mode: 0o600 });
}

/** Also `undefined` for a record that this release cannot read: aliases may be forgotten. */
export async function aliasedDigest(root: string, alias: string): Promise<string | undefined> {
  const stored = await readAlias(aliasFile(root, alias));
  return stored?.alias === alias ? stored.digest : undefined;
}

/** Removes the aliases of digests that no longer exist. */
export async function removeLostAliases(root: string): Promise<void> {
  for (const name of await namesIn(join(root, FOLDER))) {
    const file = join(root, FOLDER, name);
    const stored = await readAlias(file);
    if (!stored || (await hasTree(entryOf(root, stored.digest)))) continue;
    await unlink(file).catch(ignoreGone);
  }
}

function aliasFile(root: string, alias: string): string {
  return join(root, FOLDER, createHash("sha256").update(alias).digest("hex"));
}

async function readAlias(file: string): Promise<StoredAlias | undefined> {
  const text = await readFile(file, "utf8").catch(ignoreGone);
  try {
    const stored = JSON.parse(text ?? "") as StoredAlias;
    const isWhole = stored.formatVersion === 1 && /^sha256:[0-9a-f]{64}$/.test(stored.digest);
    return isWhole ? stored : undefined;
  } catch {
    return undefined;
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return (await readdir(directory).catch(ignoreGone)) ?? [];
}
