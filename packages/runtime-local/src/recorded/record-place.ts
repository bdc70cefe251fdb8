import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readlinkSync, rmdirSync, rmSync, statSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunCommand } from "@skillwright/core/adapter";
import { runExists } from "@skillwright/supervisor";
import { ownDirectory } from "../storage/own-directory.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import { isSupervised } from "./control-pipe.js";

/** The link that names the attempt whose command runs, or ran. */
export const CLAIM = "run";

/** The directories of all attempts to start a run, for one that is kept and for one that is not. */
export function recordPlaces({ records }: WorkspacePaths, runId: string) {
  const name = createHash("sha256").update(runId).digest("hex");
  return { kept: join(records, "kept", name), unkept: join(records, "unkept", name) };
}

/** The directory of the attempt whose command runs; `undefined` where there is none. */
export function claimedAttempt(place: string): string | undefined {
  try {
    return join(place, readlinkSync(join(place, CLAIM)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * The directory of all attempts to start the run.
 * @throws SkillError `CONFLICT` where a run with that id is kept and this one is not to be, or this one is to be kept and that run is not.
 */
export function freePlace(paths: WorkspacePaths, { runId, keep = false }: RunCommand): string {
  const { kept, unkept } = recordPlaces(paths, runId);
  if (claimedAttempt(keep ? unkept : kept)) throw runExists(runId);
  return keep ? kept : unkept;
}

/**
 * Removes the records of runs that nobody keeps, where killed processes left them: of runs that are over, and whose lease no process
 * has renewed since.
 */
export function removeLeft({ records }: WorkspacePaths, leaseMs: number): void {
  const before = Date.now() - leaseMs;
  const isOld = (path: string) =>
    (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY) < before;
  for (const place of directories(join(records, "unkept"))) {
    if (!isOld(place)) continue;
    const attempts = directories(place);
    if (attempts.every((attempt) => isOld(`${attempt}/lease`) && !isSupervised(attempt)))
      rmSync(place, { recursive: true, force: true });
  }
}

/** The id of a run that nobody keeps is free again. Its record stays for those who read it. */
export function releaseClaim(attempt: string): void {
  try {
    unlinkSync(join(dirname(attempt), CLAIM));
  } catch {
    // The workspace is being destroyed.
  }
}

/** Removes an attempt whose command does not run, or is over and kept by nobody, and its place where nothing else is in it. */
export function removeAttempt(attempt: string): void {
  rmSync(attempt, { recursive: true, force: true });
  try {
    rmdirSync(dirname(attempt));
  } catch {
    // Another attempt has begun.
  }
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
export function newAttempt(place: string): string {
  for (const path of [dirname(dirname(place)), dirname(place), place]) ownDirectory(path);
  return ownDirectory(join(place, randomBytes(9).toString("hex")));
}
