import type { CatalogSkill, CatalogSnapshot, SkillChange } from "@skillwright/core";

/** The differences between the skills of two snapshots, sorted by name. */
export function changedSkills(before: CatalogSnapshot, after: CatalogSnapshot): readonly SkillChange[] {
  const earlier = new Map(before.skills.map((skill) => [skill.name, skill]));
  const changes: SkillChange[] = [];
  for (const skill of after.skills) {
    const known = earlier.get(skill.name);
    earlier.delete(skill.name);
    if (!known) changes.push(change("added", skill));
    else if (!isSame(known, skill)) changes.push(change("changed", skill));
  }
  for (const skill of earlier.values()) changes.push(change("removed", skill));
  return changes.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function change(kind: SkillChange["kind"], { name, source }: CatalogSkill): SkillChange {
  return { kind, name, source };
}

function isSame(a: CatalogSkill, b: CatalogSkill): boolean {
  return (
    a.source === b.source && a.path === b.path && a.changeMark === b.changeMark && a.trusted === b.trusted
  );
}
