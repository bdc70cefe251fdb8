import type { BrokenSkill, SkillSummary } from "@skillwright/core";
import { deepFreeze, type IndexChange, type IndexedSummaries } from "@skillwright/core/adapter";
import { BROKEN, brokenOf, byPath, bySkill, SKILL, summariesAt, summaryOf } from "./index-entries.js";

/** Prefix of the field that lists the fields changed by a revision. */
const LOG = "log:";
const OWN_FIELDS = new Set(["formatVersion", "revision", "change", "epoch"]);

export interface ReadIndex {
  /** Frozen. Missing where any part of it is damaged. */
  readonly summaries?: IndexedSummaries | undefined;
  /** As stored; "?" where there is none. */
  readonly revision: string;
  /** Number of fields that do not belong to this package. */
  readonly foreign: number;
}

/** Parses the fields of a hash. */
export function readFields(fields: Readonly<Record<string, string>>): ReadIndex {
  const skills: SkillSummary[] = [];
  const broken: BrokenSkill[] = [];
  const revision = fields["revision"] ?? "?";
  let foreign = 0;
  try {
    for (const field of Object.keys(fields)) {
      const text = fields[field] ?? "";
      if (field.startsWith(SKILL)) skills.push(summaryOf(field.slice(SKILL.length), text));
      else if (field.startsWith(BROKEN)) broken.push(brokenOf(field.slice(BROKEN.length), text));
      else if (!OWN_FIELDS.has(field) && !field.startsWith(LOG)) foreign++;
    }
  } catch {
    return { revision, foreign };
  }
  if (fields["formatVersion"] !== "1") return { revision, foreign };
  for (const entry of [...skills, ...broken]) deepFreeze(entry);
  const summaries = summariesAt(revision, skills.sort(bySkill), broken.sort(byPath));
  return { summaries, revision, foreign };
}

/**
 * Fields to remove, and fields and values in turn to set after that, with the precedence described at `IndexChange`.
 */
export function changedFields({ put, putBroken = [], remove }: IndexChange): {
  gone: string[];
  set: string[];
} {
  const gone = [
    ...remove.flatMap((path) => [field(SKILL, path), field(BROKEN, path)]),
    ...put.map(({ path }) => field(BROKEN, path)),
    ...putBroken.map(({ path }) => field(SKILL, path)),
  ];
  const brokenPaths = new Set(putBroken.map(({ path }) => path));
  const usable = put.filter(({ path }) => !brokenPaths.has(path));
  const set = [
    ...usable.flatMap((skill) => [field(SKILL, skill.path), JSON.stringify(skill)]),
    ...putBroken.flatMap((skill) => [field(BROKEN, skill.path), JSON.stringify(skill)]),
  ];
  return { gone, set };
}

function field(kind: string, path: string): string {
  return kind + JSON.stringify(path);
}
