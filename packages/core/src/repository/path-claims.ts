import { SkillError } from "../skill-error.js";

/** Which names are taken, and as what: no path twice, none as file and as folder. */
export interface PathClaims {
  /** How many files there are so far. */
  readonly fileCount: number;
  /** @throws SkillError `SKILL_INVALID`; nothing is claimed then. */
  file(path: string): void;
  /** May be claimed again and again. @throws SkillError `SKILL_INVALID`; nothing is claimed then. */
  folder(path: string): void;
}

/** @param whole What the paths are in, for messages. */
export function pathClaims(whole: "upload" | "archive"): PathClaims {
  const files = new Set<string>();
  const folders = new Set<string>();

  return {
    get fileCount() {
      return files.size;
    },
    file(path) {
      if (files.has(path)) throw invalid(`The file "${path}" is in the ${whole} twice. Keep one.`);
      const parents = parentsOf(path);
      if (folders.has(path) || parents.some((parent) => files.has(parent))) throw twoKinds(path);
      files.add(path);
      for (const parent of parents) folders.add(parent);
    },
    folder(path) {
      const all = [...parentsOf(path), path];
      if (all.some((folder) => files.has(folder))) throw twoKinds(path);
      for (const folder of all) folders.add(folder);
    },
  };
}

/** The folders above a path, outermost first. */
export function parentsOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function twoKinds(path: string): SkillError {
  return invalid(`The path "${path}" needs one name to be a file and a folder. Rename one of them.`);
}

function invalid(message: string): SkillError {
  return new SkillError("SKILL_INVALID", message);
}
