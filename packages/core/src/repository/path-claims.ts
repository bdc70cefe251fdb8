import { SkillError } from "../skill-error.js";

/** Records which names are used, and as what. No path may be used twice, or both as file and as directory. */
export interface PathClaims {
  /** Number of files so far. */
  readonly fileCount: number;
  /** @throws SkillError `SKILL_INVALID`; the path is then not claimed. */
  file(path: string): void;
  /** May be called repeatedly for one path. @throws SkillError `SKILL_INVALID`; the path is then not claimed. */
  folder(path: string): void;
}

/** @param whole What contains the paths, for messages. */
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

/** Returns the parent directories of a path, outermost first. */
export function parentsOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

function twoKinds(path: string): SkillError {
  return invalid(`The path "${path}" is used both as a file and as a folder. Rename one of them.`);
}

function invalid(message: string): SkillError {
  return new SkillError("SKILL_INVALID", message);
}
