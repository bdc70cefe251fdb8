import { isSkillDocument, type ManifestFile, type Skill } from "@skillwright/core";

/** The skill's documents, in the order of the manifest (TR-107). */
export function skillDocuments({ manifest }: Skill): readonly ManifestFile[] {
  return manifest.files.filter(({ path }) => isSkillDocument(path));
}

export interface ChosenDocuments {
  readonly paths: readonly string[];
  /** Names that are no document of the skill, as they were given. */
  readonly unknown: readonly string[];
}

/** The named documents once each, in the order given; `./` in front of a name is passed over. */
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

/** Which names were wrong and which there are (TR-113). */
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
