import type { CatalogSkill, CatalogSnapshot } from "@skillwright/core";

/**
 * The skills a model may be shown, in the order in which they are kept when room is short: trusted before untrusted,
 * then by the order of the sources, then by name.
 */
export function listableSkills({ skills, sources = [] }: CatalogSnapshot): readonly CatalogSkill[] {
  const ranks = new Map(sources.map(({ source }, rank) => [source, rank]));
  const rank = (skill: CatalogSkill) => ranks.get(skill.source) ?? sources.length;
  return skills
    .filter(({ frontmatter }) => frontmatter["disable-model-invocation"] !== true)
    .sort(
      (a, b) =>
        Number(b.trusted) - Number(a.trusted) ||
        rank(a) - rank(b) ||
        Number(a.name > b.name) - Number(a.name < b.name),
    );
}
