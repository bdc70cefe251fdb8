import { basename, join } from "node:path";
import { type Skill, SkillError, type SkillVersion } from "@skillwright/core";
import { isGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import type { FolderPlace } from "../skills/folder-place.js";
import { freshMemory, loadFolder } from "../skills/load-folder.js";
import { currentVersion } from "./current-version.js";
import { type HistoryEntry, historyOf, KEPT_SKILL, type SkillHistory } from "./history-entry.js";

/** The content in place: the skill and where it is. */
export interface LiveSkill {
  readonly skill: Skill;
  readonly place: FolderPlace;
}

/** The skill with the name of its version. */
export async function withVersion(root: string, skill: Skill): Promise<Skill> {
  return numbered(skill, await historyOf(root, skill.name));
}

/** The skill with the name of its version, where it has a history; otherwise the skill itself. */
export async function withKnownVersion(root: string, skill: Skill): Promise<Skill> {
  const history = await historyOf(root, skill.name);
  return history.entries.length > 0 || history.record ? numbered(skill, history) : skill;
}

/** Versions, newest first: the content in place, then earlier ones. */
export async function versionsOf(
  root: string,
  name: string,
  live: LiveSkill | undefined,
): Promise<readonly SkillVersion[]> {
  const history = await historyOf(root, live?.skill.name ?? name);
  const newest = live && (await liveVersion(history, live));
  const earlier = history.entries.flatMap(({ version, digest, createdAt, deletedAt, by }): SkillVersion[] => {
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
  const history = await historyOf(root, live?.skill.name ?? name);
  if (live && String(currentVersion(history, live.skill.digest).version) === wanted) return undefined;
  const found = history.entries.find(
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

function numbered(skill: Skill, history: SkillHistory): Skill {
  return Object.freeze({ ...skill, version: String(currentVersion(history, skill.digest).version) });
}

async function liveVersion(history: SkillHistory, { skill, place }: LiveSkill): Promise<SkillVersion> {
  const { digest } = skill;
  const { version, createdAt = await changedAt(skill, place), by } = currentVersion(history, digest);
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
