import { type BrokenSkill, SkillError, type SkillVersionOptions } from "@skillwright/core";
import type { PublishedSkill } from "../publications/publication.js";
import { publishedVersion } from "../publications/versions.js";
import type { RepositoryState } from "../repository-state.js";
import { bucketDiagnostic } from "./diagnostics.js";
import type { PlainFolder } from "./plain-folder.js";
import { type FoundSkill, type PlainPlace, pick, remembered } from "./skill-index.js";

/** What is done with a skill, depending on how it is there. */
export interface SkillUse<Result> {
  published(skill: PublishedSkill): Promise<Result>;
  /**
   * Gives `undefined` when the folder is not the skill any more.
   * @param seen What was in it just now, where that is known.
   */
  plain(folder: PlainPlace, seen?: PlainFolder): Promise<Result | undefined>;
}

/**
 * Finds the skill by its name, else by its path. What was published under the name is always looked up; plain folders are
 * first looked for where they were seen last, and then by a new scan.
 * @throws SkillError `SKILL_NOT_FOUND`; `SKILL_INVALID` for a published skill whose record is damaged.
 */
export async function withSkill<Result>(
  state: RepositoryState,
  name: string,
  { version, signal }: SkillVersionOptions,
  use: SkillUse<Result>,
): Promise<Result> {
  const seen = version === undefined && state.last ? pick(state.last.skills, name) : undefined;
  // At the same time as the record is asked for, which mostly is not there.
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
  const found = pick(scan.skills, name);
  const second = found?.folder
    ? await use.plain(found.folder, found.folder)
    : found && (await useRecord(found));
  if (second !== undefined) return second;
  throw notFound(name, state.label);

  /** Files that are missing because of a purge are no damage: what is there by now is used instead. */
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

  /** Of a skill that was published under another name than it is asked for by. */
  async function useRecord({ record: other }: FoundSkill<PlainPlace>): Promise<Result | undefined> {
    const publication = other?.publication;
    if (!publication) throw damagedSkill(name);
    const now = (await state.records.newest(publication.name, signal)).record?.publication;
    return now?.kind === "published" ? await use.published(now) : undefined;
  }
}

/** What the work came to, for whoever asks for it; it may be nobody. */
async function outcomeOf<T>(work: Promise<T>): Promise<() => Promise<T>> {
  await work.catch(() => undefined);
  return () => work;
}

export function invalidSkill({ path, diagnostics }: BrokenSkill): SkillError {
  const reason = diagnostics.find(({ severity }) => severity === "error");
  const message = `The skill at "${path}" cannot be used. ${reason?.message ?? ""} ${reason?.hint ?? ""}`;
  return new SkillError("SKILL_INVALID", message.trim(), { details: { diagnostics } });
}

function damagedSkill(name: string): SkillError {
  return invalidSkill({ path: name, diagnostics: [bucketDiagnostic("record.damaged", name)] });
}

function notFound(name: string, label: string): SkillError {
  const message = `There is no skill "${name}" in ${label}. List the repository to see what is there.`;
  return new SkillError("SKILL_NOT_FOUND", message);
}
