import { chmodSync, lstatSync, opendirSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { findProgram } from "../host/find-program.js";
import { runTool } from "../host/run-tool.js";

/**
 * Removes a directory, whatever a command did to it. Directories that are read-only or without permissions are made
 * accessible first; what Node still cannot remove, such as a tree thousands deep, is left to system programs. Links are
 * not followed.
 */
export async function removeTree(path: string): Promise<void> {
  if (isRemovedAtOnce(path)) return;
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
  if (await succeeds(remove)) return;
  if ((await succeeds(async () => openDirectories(path))) && (await succeeds(remove))) return;
  const [chmod, rmProgram] = await Promise.all([findProgram("chmod"), findProgram("rm")]);
  if (chmod) await runTool(chmod, ["-R", "u+rwX", "--", path]);
  const removed = rmProgram
    ? await runTool(rmProgram, ["-rf", "--", path], { timeoutMs: 120_000 })
    : undefined;
  if (await isGone(path)) return;
  throw new Error(`${path} cannot be removed: ${removed?.stderr.slice(0, 300) || "there is no rm"}`);
}

/** A small tree is removed several times as fast in one go, and the event loop waits less than for a start of a program. */
const MOST_AT_ONCE = 200;

/** Returns false after that many entries, and at the first one that cannot be removed. */
function isRemovedAtOnce(path: string): boolean {
  let left = MOST_AT_ONCE;
  const remove = (directory: string): boolean => {
    const entries = opendirSync(directory);
    try {
      for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
        if (left-- === 0) return false;
        const child = join(directory, entry.name);
        if (!entry.isDirectory()) unlinkSync(child);
        else if (!remove(child)) return false;
      }
    } finally {
      entries.closeSync();
    }
    rmdirSync(directory);
    return true;
  };
  try {
    // A link is not opened, because what it leads to would be emptied.
    return lstatSync(path).isDirectory() && remove(path);
  } catch {
    // Whatever the reason is, `removeTree` has more ways.
    return false;
  }
}

function openDirectories(path: string): void {
  if (!lstatSync(path).isDirectory()) return;
  chmodSync(path, 0o700);
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) openDirectories(join(path, entry.name));
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return await work().then(
    () => true,
    () => false,
  );
}

async function isGone(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === "ENOENT",
  );
}
