import { randomBytes } from "node:crypto";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { endRecordedRuns } from "../recorded/end-recorded-runs.js";
import { endOthersRuns, type LiveRuns } from "../run/live-runs.js";
import { removeTree } from "./remove-tree.js";
import { TRASH_PREFIX } from "./sweep-root.js";
import { workspacePaths } from "./workspace-paths.js";

/**
 * Renames the workspace away atomically, so that exactly one of several callers gets `true`; then ends its runs and
 * removes it.
 * @throws SkillError `BACKEND_FAILED` when files remain; removing them is retried when a runtime next opens the root.
 */
export async function destroyWorkspace(root: string, id: string, live: LiveRuns): Promise<boolean> {
  const trash = workspacePaths(root, `${TRASH_PREFIX}${randomBytes(12).toString("hex")}`);
  try {
    renameSync(join(root, id), trash.directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw SkillError.from(error, `Destroying the workspace ${id}`);
  }
  await live.end(id);
  await endOthersRuns(trash.live);
  await endRecordedRuns(trash.records);
  await removeTree(trash.directory).catch((error: unknown) => {
    throw SkillError.from(error, `Removing the files of the workspace ${id}`);
  });
  return true;
}
