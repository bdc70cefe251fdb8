import { type CatalogSkill, type CatalogSnapshot, skillFields } from "@skillwright/core";

/**
 * The skills that a model may see, in the order of priority when space is limited: trusted before untrusted, then by
 * the order of the sources (a person's own before bundled ones), then by name.
 */
export function listableSkills({ skills, sources = [] }: CatalogSnapshot): readonly CatalogSkill[] {
  const ranks = new Map(sources.map(({ source }, rank) => [source, rank]));
  const rank = (skill: CatalogSkill) => ranks.get(skill.source) ?? sources.length;
  return skills
    .filter(isListable)
    .sort(
      (a, b) =>
        Number(b.trusted) - Number(a.trusted) ||
        rank(a) - rank(b) ||
        Number(a.name > b.name) - Number(a.name < b.name),
    );
}

/** False for a skill that only people may start. */
function isListable({ frontmatter }: CatalogSkill): boolean {
  // Most skills have no such field, and parsing all fields of 10,000 skills takes too long.
  const mayHide = Object.keys(frontmatter).some((key) => key === "metadata" || key.startsWith("disable"));
  return !mayHide || !skillFields(frontmatter).disableModelInvocation;
}
