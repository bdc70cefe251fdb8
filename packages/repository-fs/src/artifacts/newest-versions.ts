import { join } from "node:path";
import type { ArtifactVersion } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import { readVersion } from "./artifact-record.js";
import { versionFolders } from "./version-folders.js";

/** The newest version of every artifact in the directory and below, unordered. */
export async function newestVersions(
  folder: string,
  signal: AbortSignal | undefined,
): Promise<ArtifactVersion[]> {
  checkAborted(signal);
  const { versions, others } = await versionFolders(folder);
  const newest = versions.at(-1);
  const found = newest === undefined ? undefined : await readVersion(folder, newest);
  const below = await Promise.all(
    others.map(async (name) => await newestVersions(join(folder, name), signal)),
  );
  return [...(found ? [found] : []), ...below.flat()];
}
