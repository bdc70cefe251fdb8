import { type Diagnostic, isContainedPath, type SkillRules } from "@skillwright/core";
import { type TreeDiagnosticCode, treeDiagnostic } from "./diagnostics.js";
import { type FolderInMaking, folderInMaking, type SkillFolder } from "./skill-folder.js";
import type { TreeEntry } from "./tree-entries.js";

export interface FoundFolders {
  readonly folders: readonly SkillFolder[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface FindOptions {
  /** How far down a skill's folder may be. */
  readonly depth: number;
  /** What the top is called. */
  readonly name: string;
  readonly rules: SkillRules;
}

const SKILL_FILE = "SKILL.md";
/** What would otherwise be told of every place in a large tree. */
const ONCE: ReadonlySet<TreeDiagnosticCode> = new Set(["scan.depth", "scan.link"]);

/** Every folder with a SKILL.md, outside of hidden folders and `node_modules`. Files of an inner skill belong to both. */
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

  /** To each skill the file is below; `false` where there is none. */
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

  /** Tells of a file outside of all skills that its author may have meant otherwise. */
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
