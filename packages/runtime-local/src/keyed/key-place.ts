import { createHash, randomBytes } from "node:crypto";
import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { ownDirectory } from "../storage/own-directory.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";

/** The link that names the attempt whose command runs, or ran. The supervisor creates it. */
export const CLAIM = "run";

/** The directory of all attempts to start the run of a key. */
export function keyPlace({ keyed }: WorkspacePaths, key: string): string {
  return join(keyed, createHash("sha256").update(key).digest("hex"));
}

/** The directory of the key's run; `undefined` where there is none. */
export function claimedAttempt(place: string): string | undefined {
  try {
    return join(place, readlinkSync(join(place, CLAIM)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Creates the directory of an attempt, and never that of a workspace that was destroyed meanwhile. */
export function newAttempt({ keyed }: WorkspacePaths, place: string): string {
  for (const path of [keyed, place]) ownDirectory(path);
  return ownDirectory(join(place, randomBytes(9).toString("hex")));
}
