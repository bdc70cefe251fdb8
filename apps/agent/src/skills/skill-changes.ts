import type { CatalogSkill, CatalogSnapshot } from "@skillwright/core";

/** What changed between two snapshots, told to the model; `undefined` where nothing it can see did. */
export function skillChanges(before: CatalogSnapshot, after: CatalogSnapshot): string | undefined {
  if (before.fingerprint === after.fingerprint) return undefined;
  const old = new Map(before.skills.map((skill) => [skill.name, skill]));
  const names = new Set(after.skills.map((skill) => skill.name));
  const added = after.skills.filter((skill) => !old.has(skill.name));
  const changed = after.skills.filter((skill) => isChanged(old.get(skill.name), skill));
  const gone = before.skills.filter((skill) => !names.has(skill.name));
  const lines = [
    ...added.map((skill) => `- new: ${skill.name}: ${skill.description}`),
    ...changed.map((skill) => `- changed (load it again before use): ${skill.name}: ${skill.description}`),
    ...gone.map((skill) => `- gone: ${skill.name}`),
  ];
  return lines.length === 0
    ? undefined
    : `The skills changed since the overview was written:\n${lines.join("\n")}`;
}

function isChanged(before: CatalogSkill | undefined, after: CatalogSkill): boolean {
  if (!before) return false;
  return (
    before.changeMark !== after.changeMark ||
    before.source !== after.source ||
    before.description !== after.description ||
    (before.digest !== undefined && after.digest !== undefined && before.digest !== after.digest)
  );
}
