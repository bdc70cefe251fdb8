import type { BrokenSkill, SkillSummary } from "@skillwright/core";
import type { IndexedSummaries } from "@skillwright/core/adapter";

/** Prefix of fields; the path follows as JSON, which preserves lone surrogates, unlike UTF-8. */
export const SKILL = "skill:";
export const BROKEN = "broken:";

/** @throws TypeError for a value that is not JSON or not a summary of that path. */
export function summaryOf(path: string, text: string): SkillSummary {
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

/** @throws TypeError as `summaryOf`. */
export function brokenOf(path: string, text: string): BrokenSkill {
  const value: BrokenSkill = JSON.parse(text);
  if (JSON.stringify(value.path) !== path || !Array.isArray(value.diagnostics))
    throw new TypeError("No entry.");
  return value;
}

/**
 * The entries, frozen. The caller gives frozen entries in their order.
 * @returns `undefined` for an invalid revision.
 */
export function summariesAt(
  revision: string,
  skills: readonly SkillSummary[],
  broken: readonly BrokenSkill[],
): IndexedSummaries | undefined {
  if (!/^\d{1,16}$/.test(revision)) return undefined;
  const lists = { skills: Object.freeze(skills), broken: Object.freeze(broken) };
  return Object.freeze({ formatVersion: 1, revision: Number(revision), ...lists });
}

export function bySkill(a: SkillSummary, b: SkillSummary): number {
  return compare(a.name, b.name) || byPath(a, b);
}

export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return compare(a.path, b.path);
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
