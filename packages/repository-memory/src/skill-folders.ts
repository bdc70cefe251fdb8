import type { BrokenSkill, Skill } from "@skillwright/core";
import type { SkillRules } from "@skillwright/core/adapter";
import { filesBelow, type SkillFolder, skillFolder } from "./skill-folder.js";
import type { StoredFiles } from "./stored-files.js";

/** All folders of a memory repository. A nested skill is stored in the outer skill's files. */
export interface SkillFolders {
  /** Sorted by name, then path. */
  skills(): Skill[];
  /** Sorted by path. */
  broken(): BrokenSkill[];
  filesAt(path: string): StoredFiles;
  /** True for an existing folder, whatever it contains. */
  has(path: string): boolean;
  /** Replaces the content of the folder at the path with these files; an empty map removes it. */
  put(path: string, files: StoredFiles): void;
}

export function skillFolders(rules: SkillRules): SkillFolders {
  /** The outermost folders, by path. */
  const folders = new Map<string, SkillFolder>();

  return {
    skills: () =>
      [...folders.values()]
        .flatMap((folder) => folder.skills)
        .sort((a, b) => compare(a.name, b.name) || compare(a.path, b.path)),

    broken: () =>
      [...folders.values()].flatMap((folder) => folder.broken).sort((a, b) => compare(a.path, b.path)),

    filesAt(path) {
      const outer = outermost(path);
      if (!outer) return new Map();
      return outer.path === path ? outer.files : filesBelow(outer.files, inside(outer, path));
    },

    has: (path) => [...folders.keys()].some((folder) => folder === path || folder.startsWith(`${path}/`)),

    put(path, files) {
      const outer = outermost(path);
      if (outer && outer.path !== path) folders.set(outer.path, withFolder(outer, path, files, rules));
      else if (files.size > 0) folders.set(path, skillFolder(path, files, rules));
      else folders.delete(path);
    },
  };

  function outermost(path: string): SkillFolder | undefined {
    const parts = path.split("/");
    return parts
      .map((_, index) => folders.get(parts.slice(0, index + 1).join("/")))
      .find((folder) => folder !== undefined);
  }
}

function withFolder(outer: SkillFolder, path: string, files: StoredFiles, rules: SkillRules): SkillFolder {
  const prefix = `${inside(outer, path)}/`;
  const kept = [...outer.files].filter(([file]) => !file.startsWith(prefix));
  const added = [...files].map(([file, content]) => [prefix + file, content] as const);
  return skillFolder(outer.path, new Map([...kept, ...added]), rules);
}

function inside(outer: SkillFolder, path: string): string {
  return path.slice(outer.path.length + 1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
