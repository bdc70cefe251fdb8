import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ignoreGone, isErrno } from "../files/errno.js";
import { lstat, makeDirectory, removeFile, renamePath, writeText } from "../files/file-system.js";

/** Owners of leases on a digest's directory: one file per owner, beside the tree. */
export interface Owners {
  readonly owners: readonly string[];
  /** True for a lease that this release cannot read; only a later release knows its owner. */
  readonly isHeldByUnknown: boolean;
}

const FOLDER = "leases";

export async function hasLease(entry: string, owner: string): Promise<boolean> {
  return (await lstat(leaseFile(entry, owner)).catch(ignoreGone)) !== undefined;
}

/** Call it under the lock. */
export async function addLease(entry: string, owner: string): Promise<void> {
  const folder = join(entry, FOLDER);
  const begun = join(folder, ".new");
  await makeDirectory(folder).catch((error: unknown) => {
    if (!isErrno(error, "EEXIST")) throw error;
  });
  await writeText(begun, JSON.stringify({ formatVersion: 1, owner }));
  await renamePath(begun, leaseFile(entry, owner));
}

export async function removeLease(entry: string, owner: string): Promise<void> {
  await removeFile(leaseFile(entry, owner)).catch(ignoreGone);
}

export async function ownersOf(entry: string): Promise<Owners> {
  const folder = join(entry, FOLDER);
  const names = (await readdir(folder).catch(ignoreGone)) ?? [];
  const owners: string[] = [];
  let isHeldByUnknown = false;
  for (const name of names.filter((file) => !file.startsWith("."))) {
    const text = await readFile(join(folder, name), "utf8").catch(ignoreGone);
    if (text === undefined) continue;
    const owner = ownerIn(text);
    if (owner === undefined) isHeldByUnknown = true;
    else owners.push(owner);
  }
  return { owners, isHeldByUnknown };
}

function leaseFile(entry: string, owner: string): string {
  return join(entry, FOLDER, createHash("sha256").update(owner).digest("hex").slice(0, 32));
}

function ownerIn(text: string): string | undefined {
  try {
    const { formatVersion, owner } = JSON.parse(text) as { formatVersion?: unknown; owner?: unknown };
    return formatVersion === 1 && typeof owner === "string" ? owner : undefined;
  } catch {
    return undefined;
  }
}
