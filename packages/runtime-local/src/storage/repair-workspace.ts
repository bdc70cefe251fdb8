import { statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { isRoot, UNPRIVILEGED } from "../host/credentials.js";
import { endRecordedRuns } from "../recorded/end-recorded-runs.js";
import { endOthersRuns, type LiveRuns } from "../run/live-runs.js";
import { checkLayout, ensureDirectory } from "../run/run-directories.js";
import { removeSkill } from "../staging/skill-directories.js";
import type { WorkspacePaths } from "./workspace-paths.js";
import { readRecord, writeRecord } from "./workspace-record.js";

/**
 * Recreates the record of a damaged workspace and removes its skills, since it is unknown which they are. The files in
 * `work/`, `out/` and `runs/` stay. Its runs are ended first. Returns `false` where the record can be read, or there is no workspace.
 * @throws SkillError `UNSUPPORTED` for a record of a later format; `PATH_OUTSIDE`, before any change, where a command
 * replaced a directory of the workspace by a link.
 */
export async function repairWorkspace(id: string, paths: WorkspacePaths, live: LiveRuns): Promise<boolean> {
  try {
    readRecord(paths.directory);
    return false;
  } catch (error) {
    if (!SkillError.is(error, "WORKSPACE_DAMAGED")) throw error;
    if ("formatVersion" in error.details)
      throw new SkillError("UNSUPPORTED", error.message, { cause: error });
  }
  // A command that still ran could put a link in place between the check and the removal.
  await live.end(id);
  await endOthersRuns(paths.live);
  await endRecordedRuns(paths.records);
  for (const name of ["directory", "tree", "incoming", "live", "tmp"] as const)
    ensureDirectory(paths[name], paths[name], undefined);
  checkLayout(paths, isRoot() ? UNPRIVILEGED : undefined);
  await rm(join(paths.directory, "record.json"), { recursive: true, force: true });
  for (const name of await readdir(paths.skills)) await removeSkill(name, paths);
  const createdAt = statSync(paths.directory).birthtime.toISOString();
  writeRecord(paths.directory, { formatVersion: 1, id, createdAt, staged: {} });
  return true;
}
