import type { BrokenSkill, IndexChange, IndexedSummaries, SkillSummary } from "@skillwright/core";

/** Paths of skills, and of broken ones, as JSON: it keeps a half of a surrogate pair, which UTF-8 cannot. */
const SKILL = "skill:";
const BROKEN = "broken:";
const OWN_FIELDS = new Set(["formatVersion", "revision", "change"]);

export interface ReadIndex {
  /** Missing where any part of it is damaged. */
  readonly summaries?: IndexedSummaries;
  /** As it stands there, "?" where none does. */
  readonly revision: string;
  /** Fields that none of ours has. */
  readonly foreign: number;
}

/** What the fields of a hash say. */
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
      else if (!OWN_FIELDS.has(field)) foreign++;
    }
    if (fields["formatVersion"] !== "1" || !/^\d{1,16}$/.test(revision)) return { revision, foreign };
  } catch {
    return { revision, foreign };
  }
  skills.sort((a, b) => compare(a.name, b.name) || compare(a.path, b.path));
  broken.sort((a, b) => compare(a.path, b.path));
  return { summaries: { formatVersion: 1, revision: Number(revision), skills, broken }, revision, foreign };
}

/** Fields to take away, and fields and values in turn to set after that, as `IndexChange` says of a path in several lists. */
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

function summaryOf(path: string, text: string): SkillSummary {
  const value: SkillSummary = JSON.parse(text);
  const isWhole =
    JSON.stringify(value.path) === path &&
    typeof value.name === "string" &&
    typeof value.description === "string" &&
    typeof value.changeMark === "string" &&
    isObject(value.frontmatter) &&
    isText(value.digest) &&
    isText(value.version) &&
    Array.isArray(value.diagnostics);
  if (!isWhole) throw new TypeError("No summary.");
  return value;
}

function brokenOf(path: string, text: string): BrokenSkill {
  const value: BrokenSkill = JSON.parse(text);
  if (JSON.stringify(value.path) !== path || !Array.isArray(value.diagnostics))
    throw new TypeError("No entry.");
  return value;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
