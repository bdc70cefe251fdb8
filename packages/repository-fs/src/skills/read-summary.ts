import type { BigIntStats } from "node:fs";
import {
  type BrokenSkill,
  type Diagnostic,
  type ParseSkillResult,
  parseSkill,
  type SkillSummary,
} from "@skillwright/core";
import { brokenFolder, deepFreeze, folderSummary, isSummary } from "@skillwright/core/adapter";
import { ChangedMeanwhile } from "../files/errno.js";
import { lstatStep } from "../files/file-steps.js";
import { isSameStamp, isSettled, type Stamp } from "../files/stamp.js";
import type { Steps } from "../files/steps.js";
import type { FolderPlace, SkillFolder } from "./folder-place.js";
import type { SkillFile } from "./skill-files.js";
import { excess } from "./skill-folder.js";
import { skillHead } from "./skill-head.js";

/** Headers by path, each with the stamp of the SKILL.md that it was read from. */
export type HeaderMemory = Map<string, RememberedHeader>;

/** The part of SKILL.md needed for a listing or for finding a skill by name. */
export interface SkillHeader {
  /** Missing where it cannot be used. */
  readonly skill: Pick<SkillSummary, "name" | "description" | "frontmatter"> | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

interface RememberedHeader {
  readonly stamp: Stamp;
  readonly header: SkillHeader;
  /** The summary returned last time; an equal summary is returned as the same object. */
  told?: SkillSummary;
}

/** The summary of the directory for a listing. */
export function* readSummary(
  folder: SkillFolder,
  memory: HeaderMemory,
  skillFileBytes: number,
): Steps<SkillSummary | BrokenSkill> {
  const { path, changeMark, files } = folder;
  const skillFile = files.find((file) => file.path === "SKILL.md");
  if (!skillFile) return brokenFolder(folder, "skill-file.not-regular");
  if (skillFile.stat.size > skillFileBytes) return brokenFolder(folder, "skill-file.too-large");
  const header = yield* readHeader(folder, skillFile, memory);
  if (!header) return brokenFolder(folder, "skill-file.unreadable");
  const known = memory.get(path);
  if (known?.header === header && known.told?.changeMark === changeMark) return known.told;
  const summary = folderSummary({ ...folder, excess: excess(folder) }, header);
  if (known && isSummary(summary) && folder.diagnostics.length === 0) known.told = summary;
  return summary;
}

/** The header of SKILL.md, read only when the remembered one is outdated. `undefined` when it may not be read. */
export function* readHeader(
  { path, name }: FolderPlace,
  skillFile: SkillFile,
  memory: HeaderMemory,
): Steps<SkillHeader | undefined> {
  const known = memory.get(path);
  if (known && isSameStamp(known.stamp, skillFile.stat)) {
    yield* confirm(skillFile);
    return known.header;
  }
  const now = Date.now();
  const head = yield* skillHead(skillFile);
  if (!head) return undefined;
  const header = headerOf(parseSkill(head, { directoryName: name }));
  if (isSettled(skillFile.stat, now)) memory.set(path, { stamp: stampIn(skillFile.stat), header });
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

/**
 * SKILL.md was checked before the other files: when it is unchanged now, the directory was consistent in between.
 * Reading it has the same effect.
 */
function* confirm({ location, stat }: SkillFile): Steps<void> {
  if (!isSameStamp(yield* lstatStep(location), stat)) throw new ChangedMeanwhile();
}

/** Copies only the needed fields, since it is kept in memory. */
function stampIn({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Stamp {
  return { dev, ino, size, mtimeNs, ctimeNs };
}
