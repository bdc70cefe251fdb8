import { readdirSync, rmdirSync, rmSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { isHeldBy, namesIn } from "./lease-holder.js";

const FRESH_FOR_MS = 60 * 60 * 1000;

/** Removes unfinished files of killed processes, and expired leases, with a note only after an hour: the next holder needs it. */
export function sweepRegistry(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    try {
      if (name.startsWith(".new-")) removeOld(path);
      else if (name.endsWith(".lease")) removeFree(path);
    } catch {
      // Another process is working on it.
    }
  }
}

function removeOld(path: string): void {
  if (!isFresh(path)) rmSync(path, { recursive: true, force: true });
}

function removeFree(path: string): void {
  const holders = namesIn(path);
  if (holders.some((name) => isHeldBy(path, name))) return;
  if (isFresh(path) && holders.some((name) => statSync(join(path, name)).size > 0)) return;
  for (const name of holders) unlinkSync(join(path, name));
  rmdirSync(path);
}

function isFresh(path: string): boolean {
  return Date.now() - statSync(path).mtimeMs <= FRESH_FOR_MS;
}
