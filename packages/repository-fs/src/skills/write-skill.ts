import { mkdir, readdir, realpath, rename } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import {
  containedPath,
  isContainedPath,
  type Skill,
  SkillError,
  type UploadFile,
  type UploadOptions,
} from "@skillwright/core";
import { checkNewName, isSummary, pickSkill } from "@skillwright/core/adapter";
import { withDirectoryLock } from "../files/directory-lock.js";
import { discard } from "../files/discard.js";
import { ignoreGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import { removeLeftovers } from "../files/leftovers.js";
import { MAKING_PREFIX, SWAP_PREFIX } from "../files/own-names.js";
import { newProcessMark } from "../files/process-mark.js";
import { removeTree } from "../files/remove-tree.js";
import { currentVersion } from "../history/current-version.js";
import { historyFolder, historyOf } from "../history/history-entry.js";
import type { HistoryLimits } from "../history/history-limits.js";
import { keepDeleted } from "../history/keep-deleted.js";
import { keepVersion, limitHistory, noteCurrent, tidyHistory } from "../history/keep-version.js";
import { withKnownVersion } from "../history/skill-versions.js";
import type { FolderPlace } from "./folder-place.js";
import { freshMemory, loadFolder } from "./load-folder.js";
import type { PlacedSkill, SkillIndex } from "./skill-index.js";
import { stageUpload } from "./stage-upload.js";
import { finishSwap, finishSwaps, swapFolder } from "./swap-folder.js";

/**
 * Writes the files beside the skills, copies the content in place into the history, then moves the new directory into
 * place atomically. Installed packages and version control data in the old one are kept.
 */
export async function uploadSkill(
  root: string,
  index: SkillIndex,
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  { existing = "replace", by, signal }: UploadOptions,
  limits: HistoryLimits,
): Promise<Skill> {
  await mkdir(root, { recursive: true });
  const home = await realpath(root);
  const { leftOut } = index;
  const prepared = join(home, MAKING_PREFIX + (await newProcessMark()));
  try {
    const name = await stageUpload(join(prepared, "new"), files, signal);
    return await withDirectoryLock(home, signal, async () => {
      await removeLeftovers(home);
      await finishSwaps(home, { trash: home, leftOut });
      const target = await targetOf(name, home, (await index.scan(signal)).skills, existing);
      const staged = join(prepared, "new", target.flat ? "SKILL.md" : "");
      const skill = await stagedSkill({ ...target, directory: staged }, signal);
      if (target.flat && (await readdir(join(prepared, "new"))).length > 1) throw onlyOneFile(target);
      const place = {
        parent: dirname(target.directory),
        name: basename(target.directory),
        trash: home,
        leftOut,
      };
      await finishSwap(place);
      const before = await skillInPlace(target, signal);
      if (before?.digest === skill.digest) return await withKnownVersion(home, before);
      const former = { ...target, location: locationOf(target.directory, home) };
      const version = before
        ? (await keepVersion(home, before, former, signal)) + 1
        : currentVersion(await historyOf(home, skill.name), skill.digest).version;
      if (target.flat) await rename(staged, target.directory);
      else await swapFolder(prepared, place);
      const made = { version, digest: skill.digest, createdAt: new Date().toISOString() };
      await noteCurrent(home, skill.name, { ...made, ...(by !== undefined && { by }) });
      await limitHistory(home, skill.name, limits);
      return await withKnownVersion(home, skill);
    });
  } finally {
    await removeTree(prepared);
  }
}

/**
 * Removes the skill's directory atomically.
 * @param keep How many deleted skills can be restored.
 */
export async function deleteSkill(
  root: string,
  index: SkillIndex,
  name: string,
  { keep, signal }: { readonly keep: number; readonly signal: AbortSignal | undefined },
): Promise<boolean> {
  const home = await realpath(root).catch(ignoreGone);
  if (home === undefined) return false;
  const { leftOut } = index;
  return await withDirectoryLock(home, signal, async () => {
    await removeLeftovers(home);
    await finishSwaps(home, { trash: home, leftOut });
    const { skills } = await index.scan(signal);
    const found = pickSkill(skills, name);
    if (!found) return false;
    const directory = settledDirectory(found);
    await finishSwap({ parent: dirname(directory), name: basename(directory), trash: home, leftOut });
    const skill = isSummary(found.found) ? found.found.name : found.place.path;
    const location = locationOf(directory, home);
    const isLive = (one: string) =>
      skills.some(
        ({ place, found: other }) => place !== found.place && isSummary(other) && other.name === one,
      );
    if (keep === 0) {
      if (!isLive(skill)) await discard(historyFolder(home, skill), home);
      await tidyHistory(home, skill);
      return await discard(directory, home);
    }
    const content = await skillInPlace({ ...found.place, directory }, signal);
    const deleted = { name: skill, path: found.place.path, location, skill: content };
    return await keepDeleted(home, deleted, { keep, isLive });
  });
}

/**
 * The location of the skill with that name, otherwise a directory of its name, unless that contains something else.
 * @throws SkillError `SKILL_EXISTS`, `UNSUPPORTED`; as `checkNewName`.
 */
async function targetOf(
  name: string,
  home: string,
  skills: readonly PlacedSkill[],
  existing: "replace" | "refuse",
): Promise<FolderPlace> {
  const found = pickSkill(skills, name);
  const otherSkill = found && isSummary(found.found) && found.found.name !== name;
  if (otherSkill || (found && existing === "refuse")) throw exists(name);
  if (found) {
    const directory = settledDirectory(found);
    locationOf(directory, home);
    return { ...found.place, directory };
  }
  checkNewName(name);
  if (skills.some(({ place }) => place.path === ".")) throw rootIsSkill();
  const directory = join(home, containedPath(name));
  const other = await lstat(directory).catch(ignoreGone);
  if (other) throw exists(name);
  return { path: name, name, directory };
}

/** The directory's location when no upload is in progress. @throws SkillError `UNSUPPORTED` for the root itself. */
function settledDirectory({ place }: PlacedSkill): string {
  if (place.path === ".") throw rootIsSkill();
  const holder = dirname(place.directory);
  if (!basename(holder).startsWith(SWAP_PREFIX)) return place.directory;
  return join(dirname(holder), basename(holder).slice(SWAP_PREFIX.length));
}

/** Relative to the root. @throws SkillError `UNSUPPORTED` outside of it, behind a symlink. */
function locationOf(directory: string, home: string): string {
  const location = relative(home, directory).split(sep).join("/");
  if (isContainedPath(location)) return location;
  const message = `The skill is a symlink to ${directory}, outside of this repository. Change it there.`;
  throw new SkillError("UNSUPPORTED", message);
}

/** `undefined` where there is none, or a broken one. */
async function skillInPlace(place: FolderPlace, signal: AbortSignal | undefined): Promise<Skill | undefined> {
  const skill = await loadFolder(place, freshMemory(), signal).catch(ignoreGone);
  return skill && "manifest" in skill ? skill : undefined;
}

async function stagedSkill(place: FolderPlace, signal: AbortSignal | undefined): Promise<Skill> {
  const skill = await loadFolder(place, freshMemory(), signal);
  if ("manifest" in skill) return skill;
  const reason = skill.diagnostics.find(({ severity }) => severity === "error");
  throw new SkillError(
    "SKILL_INVALID",
    `The upload cannot be used. ${reason?.message ?? ""} ${reason?.hint ?? ""}`,
  );
}

function onlyOneFile({ path, name }: FolderPlace): SkillError {
  const message = `The skill is the single file "${path}", which has no place for other files. Move it to ${name}/SKILL.md first.`;
  return new SkillError("UNSUPPORTED", message, { details: { path } });
}

function exists(name: string): SkillError {
  const message = `A skill or folder "${name}" already exists. Delete it first, or allow it to be replaced.`;
  return new SkillError("SKILL_EXISTS", message);
}

function rootIsSkill(): SkillError {
  const message =
    "The repository's folder is itself a skill. Give the folder above it as the root to change skills.";
  return new SkillError("UNSUPPORTED", message);
}
