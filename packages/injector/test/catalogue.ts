import type { CatalogSkill, CatalogSnapshot } from "@skillwright/core";

/** A skill of a catalogue, trusted and of the source `own` unless told otherwise. */
export function skill(name: string, more: Partial<CatalogSkill> = {}): CatalogSkill {
  return {
    name,
    description: `Does ${name} things`,
    path: name,
    frontmatter: {},
    changeMark: "1",
    diagnostics: [],
    source: "own",
    trusted: true,
    ...more,
  };
}

export function snapshotOf(skills: readonly CatalogSkill[]): CatalogSnapshot {
  const sources = ["own", "team", "project"].map((source) => ({ source, trusted: source !== "project" }));
  return { formatVersion: 1, fingerprint: "f", sources, skills, broken: [], diagnostics: [] };
}
