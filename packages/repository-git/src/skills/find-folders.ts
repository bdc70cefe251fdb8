import { type Diagnostic, isContainedPath, type SkillRules } from "@skillwright/core";
import { type TreeDiagnosticCode, treeDiagnostic } from "./diagnostics.js";
import { type FolderInMaking, folderInMaking, type SkillFolder } from "./skill-folder.js";
import type { TreeEntry } from "./tree-entries.js";

export interface FoundFolders {
  readonly folders: readonly SkillFolder[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface FindOptions {
  /** Maximum depth of a skill's folder. */
  readonly depth: number;
  /** Name of the top folder. */
  readonly name: string;
  readonly rules: SkillRules;
}

const SKILL_FILE = "SKILL.md";
/** Reported once, not for every place in a large tree. */
const ONCE: ReadonlySet<TreeDiagnosticCode> = new Set(["scan.depth", "scan.link"]);

/**
 * Finds every folder with a SKILL.md outside of hidden folders and `node_modules`. Files of a nested skill belong to
 * both skills.
 */
export function findFolders(
  entries: readonly TreeEntry[],
  { depth, name, rules }: FindOptions,
): FoundFolders {
  const diagnostics = new Map<string, Diagnostic>();
  const makings = new Map<string, FolderInMaking>();
  for (const entry of entries) open(entry);
  for (const entry of entries) if (!give(entry)) pass(entry);
  return {
    folders: [...makings.values()].map((making) => making.finished()),
    diagnostics: [...diagnostics.values()].sort((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1)),
  };

  function open(entry: TreeEntry): void {
    const parts = entry.path.split("/");
    const at = parts.indexOf(SKILL_FILE);
    const folder = parts.slice(0, at);
    const path = folder.join("/") || ".";
    if (at === -1 || makings.has(path) || folder.some(isSkipped)) return;
    if (!isUsableFolder(path, entry)) tell("scan.name", path);
    else if (folder.length > depth) tell("scan.depth", path);
    else makings.set(path, folderInMaking(path, folder.at(-1) ?? name, rules));
  }

  /** Adds the file to each skill that contains it; returns `false` where there is none. */
  function give(entry: TreeEntry): boolean {
    let isTaken = false;
    const take = (folder: string, path: string): void => {
      const making = makings.get(folder);
      making?.take(entry, path);
      isTaken ||= making !== undefined;
    };
    take(".", entry.path);
    for (let slash = entry.path.indexOf("/"); slash !== -1; slash = entry.path.indexOf("/", slash + 1))
      take(entry.path.slice(0, slash), entry.path.slice(slash + 1));
    return isTaken;
  }

  /** Reports a file outside of all skills that its author may have intended as part of one. */
  function pass({ path, kind }: TreeEntry): void {
    const parts = path.split("/");
    if (parts.slice(0, -1).some(isSkipped)) return;
    const last = parts.at(-1) ?? "";
    if (kind === "submodule") tell("scan.submodule", path);
    else if (kind === "link") tell("scan.link", path);
    else if (last !== SKILL_FILE && last.toLowerCase() === "skill.md") tell("skill-file.name", path);
  }

  function tell(code: TreeDiagnosticCode, path: string): void {
    const key = ONCE.has(code) ? code : `${code} ${path}`;
    if (!diagnostics.has(key)) diagnostics.set(key, treeDiagnostic(code, path));
  }
}

function isUsableFolder(path: string, { isUsable }: TreeEntry): boolean {
  return path === "." || isUsable || (isContainedPath(path) && !path.includes("\ufffd"));
}

function isSkipped(part: string): boolean {
  return part.startsWith(".") || part === "node_modules";
}
