import { isContainedPath } from "../contained-path.js";
import type { Diagnostic } from "../diagnostic.js";
import { type RepositoryDiagnosticCode, repositoryDiagnostic } from "./repository-diagnostics.js";
import {
  isFolderMarker,
  isUsablePath,
  type ListedFile,
  SKILL_FILE,
  type SkillFolder,
  type SkillFolderInMaking,
  skillFolder,
} from "./skill-folder.js";
import type { SkillRules } from "./skill-rules.js";

export interface SkillFolderSearch {
  /** Maximum depth of a skill's directory. */
  readonly depth: number;
  /** Name of the top directory. */
  readonly name: string;
  readonly rules: SkillRules;
  /**
   * True where the paths are keys of a store without directories: SKILL.md is always a file there, and keys that are no
   * plain paths are reported. Defaults to false.
   */
  readonly keys?: boolean;
}

/** Codes that one search reports once, because a large repository can have thousands of such places. */
const ONCE: ReadonlySet<RepositoryDiagnosticCode> = new Set([
  "scan.depth",
  "scan.hidden",
  "scan.key",
  "scan.link",
]);

/**
 * Finds every directory with a SKILL.md in a listing, outside of hidden directories and `node_modules`. Files of a
 * nested skill belong to both skills. Reads nothing.
 */
export function skillFolders<File extends ListedFile>(
  entries: readonly File[],
  { depth, name, rules, keys = false }: SkillFolderSearch,
): { readonly folders: readonly SkillFolder<File>[]; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics = new Map<string, Diagnostic>();
  const makings = new Map<string, SkillFolderInMaking<File>>();
  for (const entry of entries) open(entry);
  for (const entry of entries) if (!give(entry)) pass(entry);
  return {
    folders: [...makings.values()].map((making) => making.finished()),
    diagnostics: [...diagnostics.values()].sort((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1)),
  };

  function open(entry: File): void {
    const parts = entry.path.split("/");
    const at = keys && parts.at(-1) === SKILL_FILE ? parts.length - 1 : parts.indexOf(SKILL_FILE);
    const folder = parts.slice(0, at);
    const path = folder.join("/") || ".";
    if (at === -1 || (keys && at < parts.length - 1) || makings.has(path) || folder.some(isSkipped)) return;
    if (keys && folder.includes("")) tell("scan.key", entry.path);
    else if (path !== "." && !isUsablePath(path, entry)) tell("scan.name", path);
    else if (folder.length > depth) tell("scan.depth", path);
    else makings.set(path, skillFolder(path, folder.at(-1) ?? name, rules));
  }

  /** Adds the file to each skill that contains it; returns `false` where there is none. */
  function give(entry: File): boolean {
    const { path } = entry;
    let isTaken = false;
    const take = (folder: string, file: string): void => {
      const making = makings.get(folder);
      making?.take(entry, file);
      isTaken ||= making !== undefined;
    };
    take(".", path);
    for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1))
      take(path.slice(0, slash), path.slice(slash + 1));
    return isTaken;
  }

  /** Reports a file outside of all skills that its author may have intended as part of one. */
  function pass(entry: File): void {
    const { path, kind = "file" } = entry;
    const parts = path.split("/");
    const last = parts.at(-1) ?? "";
    if (isFolderMarker(path, entry)) return;
    if (parts.slice(0, -1).some(isSkipped)) {
      // In a store without directories, hidden keys are usually the store's own.
      if (!keys) tellHidden(parts);
      return;
    }
    if (keys && !isContainedPath(path)) tell("scan.key", path);
    else if (kind === "link" || kind === "submodule") tell(`scan.${kind}`, path);
    else if (last !== SKILL_FILE && last.toLowerCase() === "skill.md") tell("skill-file.name", path);
  }

  /** The folder that has the skills, such as `.agents/skills`. */
  function tellHidden(parts: readonly string[]): void {
    const above = parts.slice(0, -2);
    if (parts.at(-1) === SKILL_FILE && above.some(isHidden) && !parts.includes("node_modules"))
      tell("scan.hidden", above.join("/"));
  }

  function tell(code: RepositoryDiagnosticCode, path: string): void {
    const key = ONCE.has(code) ? code : `${code} ${path}`;
    if (!diagnostics.has(key)) diagnostics.set(key, repositoryDiagnostic(code, path));
  }
}

function isSkipped(part: string): boolean {
  return isHidden(part) || part === "node_modules";
}

function isHidden(part: string): boolean {
  return part.startsWith(".");
}
