import { chmodSync, lstatSync, readdirSync } from "node:fs";
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
