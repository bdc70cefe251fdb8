import { SkillError } from "@skillwright/core";
import type { GitProgram } from "../process/git-program.js";
import type { GitSource } from "../source/git-source.js";
import { fetchCommit } from "./fetch-commit.js";
import { remoteTip } from "./remote-tip.js";
import type { SnapshotFolder } from "./snapshot-folder.js";

/** One cached commit; `undefined` where the repository has none yet. */
export interface Snapshot {
  readonly commit: string;
  /** A bare repository that contains it. */
  readonly gitDirectory: string;
}

/**
 * The current commit of the source. A cached pinned commit costs nothing, and a branch that did not move costs one
 * query; everything else is fetched.
 * @throws SkillError `BACKEND_FAILED`, `DIGEST_MISMATCH` where a pinned id does not belong to a commit, `UNSUPPORTED`,
 * `CONFIG_INVALID` for a cache of another user, `ABORTED`.
 */
export async function takeSnapshot(
  git: GitProgram,
  source: GitSource,
  folder: SnapshotFolder,
  signal: AbortSignal | undefined,
): Promise<Snapshot | undefined> {
  await folder.checkOwner();
  const tip = source.commit === undefined ? await remoteTip(git, source, signal) : undefined;
  const wanted = source.commit ?? tip?.commit;
  if (wanted === undefined) return undefined;
  const known = await folder.find(wanted);
  if (known !== undefined) return { commit: wanted, gitDirectory: known };
  const prepared = await prepare(folder);
  try {
    const commit = await fetchCommit(git, source, { prepared, name: tip?.name, wanted, signal });
    return { commit, gitDirectory: await folder.keep(prepared, commit) };
  } catch (error) {
    // The first failure is thrown.
    await folder.discard(prepared).catch(() => undefined);
    throw SkillError.from(error, `Fetching ${source.address.shown}`);
  }
}

async function prepare(folder: SnapshotFolder): Promise<string> {
  try {
    return await folder.prepare();
  } catch (error) {
    const remedy = "the option cache or the variable XDG_CACHE_HOME names another place";
    throw SkillError.from(
      error,
      `Making a folder in ${folder.directory}, the cache of git repositories (${remedy}),`,
    );
  }
}
