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
import { type BucketDiagnosticCode, bucketDiagnostic } from "./diagnostics.js";

/** One object below the prefix. */
export interface PlainEntry {
  /** Relative to the prefix. */
  readonly path: string;
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
  readonly etag: string;
  /** Changes with content and metadata, as far as a listing shows. */
  readonly stamp: string;
}

export interface PlainFile extends PlainEntry {
  /** Relative to the skill. */
  readonly path: string;
}

/** A folder with a SKILL.md, as far as a listing shows it. */
export interface PlainFolder {
  /** Path inside the repository; `.` for its top folder. */
  readonly path: string;
  /** The last part of its path, used for a skill without a name. */
  readonly name: string;
  /** Sorted by path. */
  readonly files: readonly PlainFile[];
  readonly diagnostics: readonly Diagnostic[];
  /** Hash over names and stamps of all files. */
  readonly changeMark: string;
  /** A diagnostic where it exceeds a limit. */
  readonly excess: Diagnostic | undefined;
}

export interface PlainFolderInMaking {
  take(entry: PlainEntry, path: string): void;
  /** True when further files would change nothing. */
  isFull(): boolean;
  finished(): PlainFolder;
}

const SKILL_FILE = "SKILL.md";
const VERSION_CONTROL: ReadonlySet<string> = new Set([".git", ".hg", ".svn"]);
const NO_LIMITS = { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY, skillFileBytes: 1 };

/**
 * Collects the files one by one. It keeps one more than allowed, so that the caller detects that there are too many.
 */
export function plainFolderInMaking(path: string, name: string, limits: SkillRules): PlainFolderInMaking {
  const files: PlainFile[] = [];
  const diagnostics = new Map<string, Diagnostic>();
  const rules = uploadRules(NO_LIMITS);
  const hash = createHash("sha256");

  function take(entry: PlainEntry, file: string): void {
    // Consoles and mounts create such objects for folders.
    if (file === "" || (file.endsWith("/") && entry.size === 0)) return;
    const parts = file.split("/");
    const control = parts.findIndex((part) => VERSION_CONTROL.has(part.toLowerCase()));
    const installed = leftOutFolder(limits, file);
    if (isFull() && file !== SKILL_FILE) return;
    if (control !== -1) tell("file.version-control", parts.slice(0, control + 1).join("/"));
    else if (installed !== undefined) tell("file.installed", installed);
    else if (!isContainedPath(file) || file.includes("\ufffd")) tell("file.name", firstUnusablePart(file));
    else if (!isFree(file)) tell("file.twice", file);
    else {
      files.push({ ...entry, path: file });
      hash.update(`${entry.stamp} ${file}\n`);
    }
  }

  /** Left-out files are counted separately: reporting them without a limit would also be too much. */
  function isFull(): boolean {
    return Math.max(files.length, diagnostics.size) > limits.files;
  }

  function isFree(file: string): boolean {
    try {
      rules.admit(file);
      return true;
    } catch (error) {
      if (SkillError.is(error)) return false;
      throw error;
    }
  }

  function tell(code: BucketDiagnosticCode, at: string): void {
    diagnostics.set(`${code} ${at}`, bucketDiagnostic(code, at));
  }

  function finished(): PlainFolder {
    const told = [...diagnostics.values()];
    for (const list of [files, told]) list.sort((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1));
    for (const { code, path: at } of told) hash.update(`${code} ${at}\n`);
    const changeMark = hash.digest("hex").slice(0, 32);
    return { path, name, files, diagnostics: told, changeMark, excess: excess() };
  }

  function excess(): Diagnostic | undefined {
    if (isFull()) return bucketDiagnostic("skill.too-many-files", path);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return bytes > limits.bytes ? bucketDiagnostic("skill.too-large", path) : undefined;
  }

  return { take, isFull, finished };
}

export function skillFileOf({ files }: PlainFolder): PlainFile | undefined {
  return files.find(({ path }) => path === SKILL_FILE);
}
