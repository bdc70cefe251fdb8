import { type CatalogSkill, type CatalogSnapshot, type JsonObject, skillFields } from "@skillwright/core";

/**
 * The skills that a model may see, in the order of priority when space is limited: trusted before untrusted, then by
 * the order of the sources (a person's own before bundled ones), then by name.
 */
export function listableSkills({ skills, sources = [] }: CatalogSnapshot): readonly CatalogSkill[] {
  const ranks = new Map(sources.map(({ source }, rank) => [source, rank]));
  const listed = skills.filter(isListable).map((skill) => {
    const rank = ranks.get(skill.source) ?? sources.length;
    return { skill, rank: skill.trusted ? rank : rank + sources.length + 1 };
  });
  // A snapshot is sorted by name; with one source, nothing is left to do.
  const isSorted = listed.every((one, at) => at === 0 || inOrder(listed[at - 1] as Ranked, one) <= 0);
  return (isSorted ? listed : listed.sort(inOrder)).map(({ skill }) => skill);
}

interface Ranked {
  readonly skill: CatalogSkill;
  readonly rank: number;
}

function inOrder(a: Ranked, b: Ranked): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  return Number(a.skill.name > b.skill.name) - Number(a.skill.name < b.skill.name);
}

/** False for a skill that only people may start. */
function isListable({ frontmatter }: CatalogSkill): boolean {
  // Most skills have no such field, and parsing all fields of 10,000 skills takes too long.
  return !mayHide(frontmatter) || !skillFields(frontmatter).disableModelInvocation;
}

/** A field may also be in `metadata`, as `frontmatter.<field>`. */
function mayHide(frontmatter: JsonObject): boolean {
  for (const key in frontmatter) if (key.startsWith("disable")) return true;
  const { metadata } = frontmatter;
  for (const key in typeof metadata === "object" ? metadata : null)
    if (key.startsWith("frontmatter.disable")) return true;
  return false;
}
