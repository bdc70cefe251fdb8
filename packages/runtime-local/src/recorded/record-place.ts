import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ownDirectory } from "../storage/own-directory.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import { isSupervised } from "./control-pipe.js";

/** The link that names the attempt whose command runs, or ran. The supervisor creates it. */
export const CLAIM = "run";

/** After this time, a record belongs to a process that was killed: a living process removes its records much earlier. */
const LEFT_AFTER_MS = 3_600_000;

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

/** The directory of the runs without a key. */
export function ownPlace({ keyed }: WorkspacePaths): string {
  return join(keyed, "own");
}

/** Removes the records that killed processes left in the directory. */
export function removeLeft(place: string): void {
  const before = Date.now() - LEFT_AFTER_MS;
  for (const directory of directories(place))
    if (
      (statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? before) < before &&
      !isSupervised(directory)
    )
      rmSync(directory, { recursive: true, force: true });
}

/** Lists the directories in a directory. Empty if it does not exist. */
export function directories(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(path, name));
  } catch {
    return [];
  }
}

/** Creates the directory of an attempt, and never that of a workspace that was destroyed meanwhile. */
export function newAttempt({ keyed }: WorkspacePaths, place: string): string {
  for (const path of [keyed, place]) ownDirectory(path);
  return ownDirectory(join(place, randomBytes(9).toString("hex")));
}
