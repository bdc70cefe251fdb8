import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type RunLimits, SkillError } from "@skillwright/core";
import { shownLine, WORKSPACE_LAYOUT } from "@skillwright/core/adapter";
import { type DiskUsage, diskUsage } from "./disk-usage.js";

const MOST_NAMED = 3;
const MOST_LOOKED_AT = 1000;
const BLOCK_BYTES = 512;
const { work, out, runs } = WORKSPACE_LAYOUT;

/** The error of a start in a workspace that holds too much already. It names what takes most. */
export async function workspaceFull({
  workspaceId,
  directories,
  tree,
  limits,
}: FullPlace): Promise<SkillError> {
  const held = await diskUsage(directories, {});
  const limit = held.bytes > (limits.diskBytes ?? Number.POSITIVE_INFINITY) ? "diskBytes" : "inodes";
  const unit = limit === "diskBytes" ? "bytes" : "inodes";
  const [found, allowed] = [held[unit], limits[limit] ?? 0];
  const largest = (await largestOf(tree, unit)).map(([path]) => shownLine(path));
  const name = unit === "bytes" ? "bytes" : "files and directories";
  const size = Number.isFinite(found) ? `${found} ${name}` : "directories too deep to be measured";
  return new SkillError(
    "LIMIT_EXCEEDED",
    `The workspace ${workspaceId} holds ${size}, and its limit ${limit} allows ${allowed}, so the command was not started. ` +
      `Most of it is in ${largest.join(", ") || "its skills"}. Remove what is not needed with remove() of the runtime's workspace, ` +
      `write empty files over it, run with a larger ${limit}, or destroy the workspace.`,
    { details: { workspaceId, limit, found, allowed, largest } },
  );
}

export interface FullPlace {
  readonly workspaceId: string;
  readonly directories: readonly string[];
  readonly tree: string;
  readonly limits: Pick<RunLimits, "diskBytes" | "inodes">;
}

/** The paths directly below the writable directories that take most. */
async function largestOf(tree: string, unit: keyof DiskUsage): Promise<readonly [string, number][]> {
  const sizes: [string, number][] = [];
  for (const directory of [work, out, runs])
    for (const path of pathsBelow(tree, directory))
      sizes.push([path, (await usageOf(join(tree, path)))[unit]]);
  return sizes.sort((a, b) => b[1] - a[1]).slice(0, MOST_NAMED);
}

/** The directory itself where it has too many entries to look at each. */
function pathsBelow(tree: string, directory: string): readonly string[] {
  try {
    const names = readdirSync(join(tree, directory));
    return names.length > MOST_LOOKED_AT ? [directory] : names.map((name) => `${directory}/${name}`);
  } catch {
    return [];
  }
}

async function usageOf(path: string): Promise<DiskUsage> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return await diskUsage([path], {});
  return { bytes: (found?.blocks ?? 0) * BLOCK_BYTES, inodes: found ? 1 : 0 };
}
