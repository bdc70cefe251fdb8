import assert from "node:assert/strict";
import type { BrokenSkill, MetadataIndex, SkillSummary } from "@skillwright/core";
import type { IndexedSummaries } from "@skillwright/core/adapter";
import type { ContractPromise } from "../contract.js";

export interface IndexSubject {
  readonly index: MetadataIndex;
  /**
   * A second index over the same entries, as another process would open it; the same object where there can be no
   * other.
   */
  readonly other: MetadataIndex;
}

export type IndexPromise = ContractPromise<IndexSubject>;

export function summary(path: string, more: Partial<SkillSummary> = {}): SkillSummary {
  return {
    name: path,
    description: `Does what ${path} does.`,
    path,
    frontmatter: { name: path, description: `Does what ${path} does.` },
    changeMark: "1",
    diagnostics: [],
    ...more,
  };
}

export function broken(path: string): BrokenSkill {
  return {
    path,
    diagnostics: [
      { code: "skill.unreadable", severity: "error", message: `${path} is torn.`, hint: "Mend it." },
    ],
  };
}

/** Asserts that both indexes of the subject return these entries, in any order, at this revision. */
export async function holds(
  { index, other }: IndexSubject,
  revision: number,
  skills: readonly SkillSummary[],
  brokenSkills: readonly BrokenSkill[] = [],
): Promise<void> {
  const expected: IndexedSummaries = { formatVersion: 1, revision, skills, broken: brokenSkills };
  for (const one of [index, other]) {
    const read = await one.read();
    // A difference between thousands of skills takes long to describe.
    assert.equal(read?.skills.length, skills.length);
    assert.deepEqual(byPath(read), byPath(expected));
  }
}

function byPath(read: IndexedSummaries | undefined): IndexedSummaries | undefined {
  const compare = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);
  return read && { ...read, skills: [...read.skills].sort(compare), broken: [...read.broken].sort(compare) };
}
