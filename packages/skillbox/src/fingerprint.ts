import { hash } from "node:crypto";
import type { SkillSummary } from "@skillwright/core";
import type { SourceListing } from "./list-sources.js";
import { turnTaking } from "./turn-taking.js";

/**
 * SHA-256 over all inputs of a snapshot as canonical JSON. Digests are not part of it, and of a failure only the code
 * is: neither changes what the catalogue offers.
 */
export async function fingerprint(listings: readonly SourceListing[]): Promise<string> {
  const pause = turnTaking();
  const sources: unknown[] = [];
  for (const { from, skills, broken, diagnostics, failure } of listings) {
    const marks: string[] = [];
    for (const skill of skills) {
      marks.push(markOf(skill));
      await pause();
    }
    sources.push({
      source: from.source,
      trusted: from.trusted,
      ...(!from.hidesOthers && { hidesOthers: false }),
      failure: failure?.code ?? null,
      skills: marks,
      broken,
      diagnostics: failure ? [] : diagnostics,
    });
  }
  return sha256({ formatVersion: 2, sources });
}

/** Marks of immutable summaries are computed once. */
const marks = new WeakMap<SkillSummary, string>();

function markOf(skill: SkillSummary): string {
  const known = marks.get(skill);
  if (known !== undefined) return known;
  const { name, description, path, changeMark, version, frontmatter } = skill;
  const mark = sha256({ name, description, path, changeMark, version: version ?? null, frontmatter });
  if (Object.isFrozen(skill) && Object.isFrozen(frontmatter)) marks.set(skill, mark);
  return mark;
}

function sha256(value: unknown): string {
  return hash("sha256", JSON.stringify(value, sortedKeys), "hex");
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
