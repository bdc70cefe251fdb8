import { isSkillDocument, type ManifestFile, type Skill } from "@skillwright/core";

/** The skill's documents, in manifest order. */
export function skillDocuments({ manifest }: Skill): readonly ManifestFile[] {
  return manifest.files.filter(({ path }) => isSkillDocument(path));
}

export interface ChosenDocuments {
  readonly paths: readonly string[];
  /** Names that match no document of the skill, as given. */
  readonly unknown: readonly string[];
}

/** Returns the named documents once each, in the order given; a leading `./` is ignored. */
export function chosenDocuments(skill: Skill, names: readonly string[]): ChosenDocuments {
  const known = new Set(skillDocuments(skill).map(({ path }) => path));
  const paths = new Set<string>();
  const unknown: string[] = [];
  for (const name of names) {
    const path = name.trim().replace(/^(\.\/)+/, "");
    if (known.has(path)) paths.add(path);
    else unknown.push(name);
  }
  return { paths: [...paths], unknown };
}

/** Reports the wrong names and the existing ones. */
export function unknownDocuments(skill: Skill, unknown: readonly string[]): string {
  const names = skillDocuments(skill).map(({ path }) => path);
  const shown = names.slice(0, 30).join(", ");
  const choice =
    names.length === 0
      ? "It has no documents"
      : `Its documents: ${shown}${names.length > 30 ? ` and ${names.length - 30} more` : ""}`;
  const given = unknown.map((name) => JSON.stringify(name.slice(0, 200))).join(", ");
  return `The skill "${skill.name}" has no document ${given}. ${choice}.`;
}
