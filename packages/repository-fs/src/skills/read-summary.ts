import {
  type BrokenSkill,
  type Diagnostic,
  type ParseSkillResult,
  parseSkill,
  type SkillSummary,
} from "@skillwright/core";
import { brokenFolder, deepFreeze, folderSummary, isSummary } from "@skillwright/core/adapter";
import { ChangedMeanwhile } from "../files/errno.js";
import { seenPath } from "../files/seen-paths.js";
import { isSameStamp, isSettled, type Stamp } from "../files/stamp.js";
import type { SeenHead } from "./find-folders.js";
import type { FolderPlace, SkillFolder } from "./folder-place.js";
import type { SkillFile } from "./skill-files.js";
import { excess } from "./skill-folder.js";
import { type SeenSkillFile, skillHead } from "./skill-head.js";

/** Headers by path, each with the stamp of the SKILL.md that it was read from. */
export type HeaderMemory = Map<string, RememberedHeader>;

/** The part of SKILL.md needed for a listing or for finding a skill by name. */
export interface SkillHeader {
  /** Missing where it cannot be used. */
  readonly skill: Pick<SkillSummary, "name" | "description" | "frontmatter"> | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface RememberedHeader {
  /** Name of the directory. */
  readonly name: string;
  readonly stamp: Stamp;
  readonly header: SkillHeader;
  /** The summary returned last time; an equal summary is returned as the same object. */
  told?: SkillSummary;
}

/**
 * The summary of the directory for a listing.
 * @param seen SKILL.md as it was read with the directory, and a time before that.
 * @param stored The stored header of a SKILL.md that was not read.
 */
export async function readSummary(
  folder: SkillFolder,
  memory: HeaderMemory,
  skillFileBytes: number,
  seen?: SeenHead,
  stored?: SkillHeader,
): Promise<SkillSummary | BrokenSkill> {
  const { path, changeMark, files } = folder;
  const skillFile = files.find((file) => file.path === "SKILL.md");
  if (!skillFile) return brokenFolder(folder, "skill-file.not-regular");
  if (skillFile.stat.size > skillFileBytes) return brokenFolder(folder, "skill-file.too-large");
  const header = seen
    ? seenHeader(folder, seen.skillFile, memory, seen.now, stored)
    : await readHeader(folder, skillFile, memory);
  if (!header) return brokenFolder(folder, "skill-file.unreadable");
  const known = memory.get(path);
  if (known?.header === header && known.told?.changeMark === changeMark) return known.told;
  const summary = folderSummary({ ...folder, excess: excess(folder) }, header);
  if (known && isSummary(summary) && folder.diagnostics.length === 0) known.told = summary;
  return summary;
}

/** The header of SKILL.md, read only when the remembered one is outdated. `undefined` when it may not be read. */
export async function readHeader(
  place: FolderPlace,
  { location, stat }: SkillFile,
  memory: HeaderMemory,
): Promise<SkillHeader | undefined> {
  const now = Date.now();
  const known = memory.get(place.path)?.stamp;
  const seen = await skillHead(location, { known, most: Number(stat.size) });
  // SKILL.md was checked before the other files: when it is unchanged now, the directory was consistent in between.
  if (!isSameStamp(seen.stat, stat)) throw new ChangedMeanwhile();
  return seenHeader(place, seen, memory, now);
}

function seenHeader(
  { path, name }: FolderPlace,
  { stat, head }: SeenSkillFile,
  memory: HeaderMemory,
  now: number,
  stored?: SkillHeader,
): SkillHeader | undefined {
  const known = memory.get(path);
  if (known && !head && isSameStamp(known.stamp, stat)) return known.header;
  if (stored) memory.set(path, { stamp: seenPath("", stat), header: stored, name });
  if (!head) return stored;
  const header = headerOf(parseSkill(head, { directoryName: name }));
  if (isSettled(stat, now)) memory.set(path, { stamp: seenPath("", stat), header, name });
  else memory.delete(path);
  return header;
}

function headerOf({ skill, diagnostics }: ParseSkillResult): SkillHeader {
  if (!skill) return { skill, diagnostics: deepFreeze(diagnostics) };
  const { name, description, frontmatter } = skill;
  return {
    skill: { name, description, frontmatter: deepFreeze(frontmatter) },
    diagnostics: deepFreeze(diagnostics),
  };
}
