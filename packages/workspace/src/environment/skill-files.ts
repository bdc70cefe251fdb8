import type { ManifestFile } from "@skillwright/core";
import type { EnvironmentNeed } from "./environment-need.js";

/** The files of a skill, from which its needs are read. */
export interface SkillFiles {
  readonly files: readonly ManifestFile[];
  has(path: string): boolean;
  /** Empty for a file that is not there. */
  text(path: string): Promise<string>;
}

/** A file that names packages which are not prepared. */
export interface Unprepared {
  readonly path: string;
  readonly why: string;
  /** Defaults to locking with hashes. */
  readonly remedy?: string | undefined;
}

/** A file that is not read because the skill has another one for the same purpose. */
export function besides(path: string, used: string): Unprepared {
  return { path, why: `${used} is used instead`, remedy: "Keep one of the files." };
}

/** What the files of one ecosystem say. */
export interface FoundNeed {
  readonly need: Omit<EnvironmentNeed, "digest"> | undefined;
  readonly unprepared: readonly Unprepared[];
  /** Options of the file that have no effect here. */
  readonly ignored?: readonly string[];
}

/** Directories of a skill in which files that lock packages are searched. */
export const PLACES: readonly string[] = ["", "scripts/"];
