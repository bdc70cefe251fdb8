import { SkillError } from "@skillwright/core";
import {
  invalidSkill,
  pickSkill,
  repositoryDiagnostic,
  type SkillVersionOptions,
  skillNotFound,
} from "@skillwright/core/adapter";
import type { PublishedSkill } from "../publications/publication.js";
import { publishedVersion } from "../publications/versions.js";
import type { RepositoryState } from "../repository-state.js";
import type { PlainFolder } from "./plain-entries.js";
import { type BucketSkill, type PlainPlace, remembered } from "./skill-index.js";

/** What to do with a skill, depending on how it is stored. */
export interface SkillUse<Result> {
  published(skill: PublishedSkill): Promise<Result>;
  /**
   * Returns `undefined` when the folder is not the skill any more.
   * @param seen The folder's current content, where it is known.
   */
  plain(folder: PlainPlace, seen?: PlainFolder): Promise<Result | undefined>;
}

/**
 * Finds the skill by its name, otherwise by its path. Published skills of that name are always looked up; plain folders
 * are searched first where they were seen last, and then with a new scan.
 * @throws SkillError `SKILL_NOT_FOUND`; `SKILL_INVALID` for a published skill whose record is damaged.
 */
export async function withSkill<Result>(
  state: RepositoryState,
  name: string,
  { version, signal }: SkillVersionOptions,
  use: SkillUse<Result>,
): Promise<Result> {
  const seen = version === undefined && state.last ? pickSkill(state.last.skills, name) : undefined;
  // In parallel with requesting the record, which usually does not exist.
  const early = seen?.folder && outcomeOf(use.plain(seen.folder));
  const { record } = await state.records.newest(name, signal);
  const newest = record?.publication;
  if (version !== undefined)
    return await unlessPurged(await publishedVersion(state.records, newest, { name, version, signal }));
  if (record && !newest) throw damagedSkill(name);
  if (newest?.kind === "published") return await unlessPurged(newest);
  // A folder that was seen before its name was deleted is hidden by now.
  if (newest?.kind !== "deleted") {
    const first = early ? await (await early)() : seen && (await useRecord(seen));
    if (first !== undefined) return first;
  }
  const scan = await state.index.scan(signal);
  state.last = remembered(scan);
  const found = pickSkill(scan.skills, name);
  const second = found?.folder
    ? await use.plain(found.folder, found.folder)
    : found && (await useRecord(found));
  if (second !== undefined) return second;
  throw skillNotFound(`no skill "${name}"`, state.label);

  /** Files that are missing because of a purge are not damage: the current state is used instead. */
  async function unlessPurged(skill: PublishedSkill): Promise<Result> {
    try {
      return await use.published(skill);
    } catch (error) {
      if (!SkillError.is(error, "FILE_NOT_FOUND")) throw error;
      const now = (await state.records.newest(name, signal)).record?.number;
      if (now === record?.number) throw error;
      return await withSkill(state, name, { version, signal }, use);
    }
  }

  /** For a skill that was published under another name than the requested one. */
  async function useRecord({ record: other }: BucketSkill<PlainPlace>): Promise<Result | undefined> {
    const publication = other?.publication;
    if (!publication) throw damagedSkill(name);
    const now = (await state.records.newest(publication.name, signal)).record?.publication;
    return now?.kind === "published" ? await use.published(now) : undefined;
  }
}

/** Captures the outcome, which may never be used. */
async function outcomeOf<T>(work: Promise<T>): Promise<() => Promise<T>> {
  // Its failure is thrown to whoever uses the outcome.
  await work.catch(() => undefined);
  return () => work;
}

function damagedSkill(name: string): SkillError {
  return invalidSkill({ path: name, diagnostics: [repositoryDiagnostic("record.damaged", name)] });
}
