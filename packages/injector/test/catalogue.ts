import type { CatalogSkill, CatalogSnapshot } from "@skillwright/core";

/** A skill of a catalogue, by default trusted and from the source `own`. */
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

/** Skills whose names sort in the order of their numbers. */
export function many(count: number, more: Partial<CatalogSkill> = {}): readonly CatalogSkill[] {
  return Array.from({ length: count }, (_, index) =>
    skill(`skill-${String(index).padStart(5, "0")}`, {
      description: `Does things of kind ${index}`,
      ...more,
    }),
  );
}

/** The list alone, without the guidance before it. */
export function listOf(text: string): string {
  const start = text.search(/<available_skills>|## Active Skills|Available skills:/);
  return start < 0 ? "" : text.slice(start);
}
