import { basename, join } from "node:path";
import { type Skill, SkillError, type SkillVersion } from "@skillwright/core";
import { isGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import type { FolderPlace } from "../skills/folder-place.js";
import { freshMemory, loadFolder } from "../skills/load-folder.js";
import { type CurrentVersion, currentVersion } from "./current-version.js";
import { currentRecord, type HistoryEntry, historyOf, KEPT_SKILL } from "./history-entry.js";

/** The content in place: the skill and where it is. */
export interface LiveSkill {
  readonly skill: Skill;
  readonly place: FolderPlace;
}

/** The skill with the name of its version. */
export async function withVersion(root: string, skill: Skill): Promise<Skill> {
  const { version } = await versionInPlace(root, skill.name, skill.digest);
  return Object.freeze({ ...skill, version: String(version) });
}

/** The skill with the name of its version, where it has a history; otherwise the skill itself. */
export async function withKnownVersion(root: string, skill: Skill): Promise<Skill> {
  const entries = await historyOf(root, skill.name);
  const record = await currentRecord(root, skill.name);
  if (entries.length === 0 && !record) return skill;
  return Object.freeze({ ...skill, version: String(currentVersion(entries, record, skill.digest).version) });
}

/** Versions, newest first: the content in place, then earlier ones. */
export async function versionsOf(
  root: string,
  name: string,
  live: LiveSkill | undefined,
): Promise<readonly SkillVersion[]> {
  const entries = await historyOf(root, live?.skill.name ?? name);
  const newest = live && (await liveVersion(root, live));
  const earlier = entries.flatMap(({ version, digest, createdAt, deletedAt, by }): SkillVersion[] => {
    const time = createdAt ?? deletedAt;
    if (version === undefined || digest === undefined || time === undefined) return [];
    if (String(version) === newest?.version) return [];
    return [{ version: String(version), digest, createdAt: time, ...(by !== undefined && { by }) }];
  });
  return newest ? [newest, ...earlier] : earlier;
}

/** An earlier version that is still kept. */
export interface KeptVersion {
  readonly version: string;
  readonly digest: string;
  readonly place: FolderPlace;
}

/**
 * Where the version is kept; `undefined` where the content in place is that version.
 * @throws SkillError `SKILL_NOT_FOUND` where it is not kept.
 */
export async function keptVersion(
  root: string,
  name: string,
  wanted: string,
  live: LiveSkill | undefined,
): Promise<KeptVersion | undefined> {
  if (live?.skill.digest === wanted) return undefined;
  const named = live?.skill.name ?? name;
  if (live && String((await versionInPlace(root, named, live.skill.digest)).version) === wanted)
    return undefined;
  const found = (await historyOf(root, named)).find(
    ({ version, digest }) => String(version) === wanted || digest === wanted,
  );
  if (found?.version === undefined || found.digest === undefined) throw notKept(name, wanted);
  try {
    return { version: String(found.version), digest: found.digest, place: await placeOf(found) };
  } catch (error) {
    throw isGone(error) ? notKept(name, wanted) : error;
  }
}

/** @throws SkillError `DIGEST_MISMATCH` where somebody changed the kept files, `SKILL_NOT_FOUND`. */
export async function loadKept(
  name: string,
  { version, digest, place }: KeptVersion,
  signal: AbortSignal | undefined,
): Promise<Skill> {
  const skill = await loadFolder(place, freshMemory(), signal).catch((error: unknown) => {
    throw isGone(error) ? notKept(name, version) : error;
  });
  if ("manifest" in skill && skill.digest === digest) return Object.freeze({ ...skill, version });
  throw new SkillError(
    "DIGEST_MISMATCH",
    `The files of version ${version} of the skill "${name}" in ${place.directory} were changed since they were kept. Choose another version.`,
  );
}

export function notKept(name: string, version: string): SkillError {
  return new SkillError(
    "SKILL_NOT_FOUND",
    `There is no version "${version}" of the skill "${name}" any more. versions() lists those that are kept.`,
  );
}

async function versionInPlace(root: string, name: string, digest: string): Promise<CurrentVersion> {
  return currentVersion(await historyOf(root, name), await currentRecord(root, name), digest);
}

async function liveVersion(root: string, { skill, place }: LiveSkill): Promise<SkillVersion> {
  const { name, digest } = skill;
  const { version, createdAt = await changedAt(skill, place), by } = await versionInPlace(root, name, digest);
  return { version: String(version), digest, createdAt, ...(by !== undefined && { by }) };
}

/** When the newest of its files was changed. */
export async function changedAt({ manifest }: Skill, { directory, flat }: FolderPlace): Promise<string> {
  const files = flat ? [directory] : manifest.files.map(({ path }) => join(directory, path));
  const times = await Promise.all(files.map(async (file) => Number((await lstat(file)).mtimeMs)));
  return new Date(Math.max(0, ...times)).toISOString();
}

async function placeOf({ folder, path, location }: HistoryEntry): Promise<FolderPlace> {
  const directory = join(folder, KEPT_SKILL);
  const flat = (await lstat(directory)).isFile();
  return { path, name: basename(location, flat ? ".md" : ""), directory, flat };
}
