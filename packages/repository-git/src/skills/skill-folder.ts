import { createHash } from "node:crypto";
import {
  type Diagnostic,
  firstUnusablePart,
  isContainedPath,
  leftOutFolder,
  SkillError,
  type SkillRules,
  uploadRules,
} from "@skillwright/core";
import { type TreeDiagnosticCode, treeDiagnostic } from "./diagnostics.js";
import type { TreeEntry } from "./tree-entries.js";

export interface SkillFile {
  /** Relative to the skill. */
  readonly path: string;
  readonly id: string;
  readonly size: number;
  readonly executable: boolean;
}

/** A folder with a SKILL.md, as far as it is known without reading a file. */
export interface SkillFolder {
  /** Path inside the repository; `.` for its top folder. */
  readonly path: string;
  readonly name: string;
  /** Sorted by path. */
  readonly files: readonly SkillFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Hash over names, modes and contents of all files. */
  readonly changeMark: string;
  /** A diagnostic where it exceeds a limit. */
  readonly excess: Diagnostic | undefined;
}

export interface FolderInMaking {
  take(entry: TreeEntry, path: string): void;
  finished(): SkillFolder;
}

const SKILL_FILE = "SKILL.md";
const VERSION_CONTROL: ReadonlySet<string> = new Set([".git", ".hg", ".svn"]);
const NO_LIMITS = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY, skillFileBytes: 1 };

/**
 * Collects the files one by one. It keeps one more than allowed, so that the caller detects that there are too many.
 */
export function folderInMaking(path: string, name: string, limits: SkillRules): FolderInMaking {
  const files: SkillFile[] = [];
  const diagnostics = new Map<string, Diagnostic>();
  const rules = uploadRules(NO_LIMITS);
  const hash = createHash("sha256");

  function take({ id, size, kind, isUsable }: TreeEntry, file: string): void {
    const parts = file.split("/");
    const control = parts.findIndex((part) => VERSION_CONTROL.has(part.toLowerCase()));
    const installed = leftOutFolder(limits, file);
    if (isFull() && file !== SKILL_FILE) return;
    if (control !== -1) tell("file.version-control", parts.slice(0, control + 1).join("/"));
    else if (installed !== undefined) tell("file.installed", installed);
    else if (!isUsable || !isContainedPath(file)) tell("file.name", firstUnusablePart(file));
    else if (kind === "link") tell("file.link", file);
    else if (kind === "submodule") tell("file.submodule", file);
    else if (!isFree(file)) tell("file.twice", file);
    else add({ path: file, id, size, executable: kind === "executable" });
  }

  function add(file: SkillFile): void {
    files.push(file);
    hash.update(`${file.executable ? "x" : "-"} ${file.id} ${file.path}\n`);
  }

  /** A hand-made tree may contain a name twice, or both as a file and as a folder. */
  function isFree(file: string): boolean {
    try {
      rules.admit(file);
      return true;
    } catch (error) {
      if (SkillError.is(error)) return false;
      throw error;
    }
  }

  function tell(code: TreeDiagnosticCode, at: string): void {
    diagnostics.set(`${code} ${at}`, treeDiagnostic(code, at));
  }

  function finished(): SkillFolder {
    const told = [...diagnostics.values()];
    for (const list of [files, told]) list.sort((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1));
    for (const { code, path: at } of told) hash.update(`${code} ${at}\n`);
    const changeMark = hash.digest("hex").slice(0, 32);
    return { path, name, files, diagnostics: told, changeMark, excess: excess() };
  }

  /** Left-out files are counted separately: reporting them without a limit would also be too much. */
  function isFull(): boolean {
    return Math.max(files.length, diagnostics.size) > limits.files;
  }

  function excess(): Diagnostic | undefined {
    if (isFull()) return treeDiagnostic("skill.too-many-files", path);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return bytes > limits.bytes ? treeDiagnostic("skill.too-large", path) : undefined;
  }

  return { take, finished };
}
