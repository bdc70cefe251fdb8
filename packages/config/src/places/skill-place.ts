/** Where a folder of skills was found, from the strongest. */
export type StandardPlaceKind =
  | "given"
  | "environment"
  | "project"
  | "user"
  | "plugin"
  | "package"
  | "bundled";

/** A folder with skills, and how far it is trusted. */
export interface SkillPlace {
  readonly kind: StandardPlaceKind;
  /** Names its source in the catalogue, at most 64 characters. */
  readonly source: string;
  /** Absolute. */
  readonly root: string;
  /** False for what came with the project: its folders, its plugins and its packages. */
  readonly trusted: boolean;
  /** False where there is no such folder. */
  readonly found: boolean;
}

/** A place that is looked for. */
export function skillPlace(kind: StandardPlaceKind, name: string, root: string, trusted = true): SkillPlace {
  return { kind, source: sourceName(name), root, trusted, found: false };
}

const LONGEST_NAME = 64;

/** As long as a source's name may be: of a long path its end, by which one knows it. */
function sourceName(name: string): string {
  const letters = [...name];
  return letters.length > LONGEST_NAME ? `…${letters.slice(1 - LONGEST_NAME).join("")}` : name;
}
