import { mkdir, realpath, rename } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { type Skill, SkillError } from "@skillwright/core";
import { pickSkill, type RestoreOptions } from "@skillwright/core/adapter";
import { withDirectoryLock } from "../files/directory-lock.js";
import { ignoreGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import { removeTree } from "../files/remove-tree.js";
import { freshMemory, loadFolder } from "../skills/load-folder.js";
import type { SkillIndex } from "../skills/skill-index.js";
import { finishSwaps } from "../skills/swap-folder.js";
import { currentVersion } from "./current-version.js";
import { deletions, type HistoryEntry, historyOf, KEPT_SKILL } from "./history-entry.js";
import { noteCurrent, tidyHistory } from "./keep-version.js";

/** Puts a deleted skill back atomically. @throws SkillError as `RestorableSkillRepository.restore`. */
export async function restoreSkill(
  root: string,
  index: SkillIndex,
  wanted: string,
  { deletedAt, signal }: RestoreOptions,
): Promise<Skill> {
  const home = await realpath(root).catch(ignoreGone);
  if (home === undefined) throw notDeleted(wanted);
  const { leftOut } = index;
  return await withDirectoryLock(home, signal, async () => {
    await finishSwaps(home, { trash: home, leftOut });
    const found = (await deletions(home)).find(
      (one) => one.name === wanted && (deletedAt === undefined || one.deletedAt === deletedAt),
    );
    if (!found) throw notDeleted(wanted);
    if (pickSkill((await index.scan(signal)).skills, wanted)) throw exists(wanted, found);
    const directory = await freePlace(home, found);
    const { version } = currentVersion(await historyOf(home, found.name), found.digest);
    await rename(join(found.folder, KEPT_SKILL), directory);
    await removeTree(found.folder);
    const { digest, createdAt, by } = found;
    await noteCurrent(home, found.name, {
      version,
      ...(digest && { digest }),
      ...(createdAt && { createdAt }),
      ...(by && { by }),
    });
    await tidyHistory(home, found.name);
    const flat = (await lstat(directory)).isFile();
    const name = flat ? basename(directory).slice(0, -3) : basename(directory);
    const place = { path: found.path, name, directory, flat };
    const skill = await loadFolder(place, freshMemory(), signal);
    if ("manifest" in skill) return skill;
    const reason = skill.diagnostics.find(({ severity }) => severity === "error");
    throw new SkillError(
      "SKILL_INVALID",
      `The skill "${wanted}" was restored at "${found.path}", but it is broken, as before its deletion. ${reason?.message ?? ""}`,
    );
  });
}

/**
 * Returns its former location and creates the parent directories. Links created there since are not followed out of the
 * root.
 */
async function freePlace(home: string, found: HistoryEntry): Promise<string> {
  const directory = join(home, found.location);
  const there = await lstat(directory).catch(ignoreGone);
  if (there) throw exists(found.name, found);
  await mkdir(dirname(directory), { recursive: true });
  const parent = await realpath(dirname(directory));
  if (parent === home || parent.startsWith(home + sep)) return join(parent, basename(directory));
  throw new SkillError(
    "PATH_OUTSIDE",
    `The folder above "${found.path}" is now a symlink that leaves the repository. Remove the symlink to restore the skill.`,
  );
}

function notDeleted(name: string): SkillError {
  const message = `No skill "${name}" was deleted here recently. deleted() lists the skills that can be restored.`;
  return new SkillError("SKILL_NOT_FOUND", message);
}

function exists(name: string, { path }: HistoryEntry): SkillError {
  const message = `A skill "${name}" or a file at "${path}" exists again. Delete or rename it to restore the deleted skill.`;
  return new SkillError("SKILL_EXISTS", message);
}
