import { resolve } from "node:path";
import { type SkillSource, skillSource, withoutCredentials } from "../sources/skill-source.js";

/** Where skills were found, from the strongest. */
export type StandardPlaceKind =
  | "given"
  | "environment"
  | "repository"
  | "project"
  | "user"
  | "plugin"
  | "package"
  | "bundled";

/** A folder with skills or a source elsewhere, and how far it is trusted. */
export interface SkillPlace {
  readonly kind: StandardPlaceKind;
  /** Names its source in the catalogue, at most 64 characters. */
  readonly source: string;
  /** Absolute; of a source elsewhere its text, as it may be shown. */
  readonly root: string;
  /** Where it is elsewhere: `s3://bucket/prefix` and the like. */
  readonly remote?: string;
  /** False for what came with the project: its folders, its plugins and its packages. */
  readonly trusted: boolean;
  /** False where there is no such folder. A source elsewhere is not looked at. */
  readonly found: boolean;
}

/** A folder that is looked for. */
export function skillPlace(kind: StandardPlaceKind, name: string, root: string, trusted = true): SkillPlace {
  return { kind, source: sourceName(name), root, trusted, found: false };
}

/** What somebody named in one line of text, a folder relative to `cwd`. */
export function namedPlace(
  kind: StandardPlaceKind,
  { name, text, cwd, trusted = true }: NamedPlace,
): SkillPlace {
  const read = sourceOf(kind, text);
  if (read?.kind === "folder") return skillPlace(kind, name, resolve(cwd, read.path), trusted);
  return { ...skillPlace(kind, name, withoutCredentials(text), trusted), remote: text, found: true };
}

/** Nothing for a text of the configuration that is no source, which is told where it is opened. */
function sourceOf(kind: StandardPlaceKind, text: string): SkillSource | undefined {
  try {
    return skillSource(text);
  } catch (error) {
    if (kind !== "repository") throw error;
    return undefined;
  }
}

interface NamedPlace {
  readonly name: string;
  readonly text: string;
  readonly cwd: string;
  readonly trusted?: boolean;
}

/** True where somebody named the place, by flag, variable or configuration: whoever did is told when it is not there. */
export function wasAsked({ kind }: SkillPlace): boolean {
  return kind === "given" || kind === "environment" || kind === "repository";
}

const LONGEST_NAME = 64;

/** As long as a source's name may be: of a long path its end, by which one knows it, after what it was named by. */
function sourceName(name: string): string {
  if ([...name].length <= LONGEST_NAME) return name;
  const by = name.slice(0, name.indexOf(" ") + 1);
  const end = [...name].slice(by.length + 1 - LONGEST_NAME).join("");
  return `${by}…${end}`;
}
