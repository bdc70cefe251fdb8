import { createHash } from "node:crypto";
import { firstUnusablePart, isContainedPath } from "../contained-path.js";
import type { Diagnostic } from "../diagnostic.js";
import { SkillError } from "../skill-error.js";
import { pathClaims } from "./path-claims.js";
import { type RepositoryDiagnosticCode, repositoryDiagnostic } from "./repository-diagnostics.js";
import { leftOutFolder, type SkillRules } from "./skill-rules.js";

/** One file of a listing, such as a Git tree or the objects of a bucket. */
export interface ListedFile {
  /** Relative to the searched directory. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  /** Changes with the content and the mode. */
  readonly stamp: string;
  /** Defaults to `file`. */
  readonly kind?: "file" | "executable" | "link" | "submodule";
  /** True where the path is known to be UTF-8. Otherwise U+FFFD in it stands for bytes that are not. */
  readonly isText?: boolean;
}

/** A directory with a SKILL.md, as far as a listing shows it. */
export interface SkillFolder<File extends ListedFile = ListedFile> {
  /** Path inside the repository; `.` for its top directory. */
  readonly path: string;
  /** The last part of its path, used for a skill without a name. */
  readonly name: string;
  /** Regular files with paths relative to the skill, sorted by path. */
  readonly files: readonly File[];
  readonly diagnostics: readonly Diagnostic[];
  /** Hash over the paths and stamps of all files. */
  readonly changeMark: string;
  /** A diagnostic where it exceeds a limit. */
  readonly excess: Diagnostic | undefined;
}

export interface SkillFolderInMaking<File extends ListedFile = ListedFile> {
  /** @param path Path of the file relative to the skill. */
  take(entry: File, path: string): void;
  /** True when further files would change nothing. */
  isFull(): boolean;
  finished(): SkillFolder<File>;
}

export const SKILL_FILE = "SKILL.md";
const VERSION_CONTROL: ReadonlySet<string> = new Set([".git", ".hg", ".svn"]);

/**
 * Collects the files of one skill, one by one. It keeps one more than allowed, so that the caller detects that there
 * are too many.
 */
export function skillFolder<File extends ListedFile>(
  path: string,
  name: string,
  limits: SkillRules,
): SkillFolderInMaking<File> {
  const files: File[] = [];
  const diagnostics = new Map<string, Diagnostic>();
  const claims = pathClaims("upload");
  const hash = createHash("sha256");

  function take(entry: File, file: string): void {
    if (isFolderMarker(file, entry)) return;
    const { kind = "file", stamp } = entry;
    const parts = file.split("/");
    const control = parts.findIndex((part) => VERSION_CONTROL.has(part.toLowerCase()));
    const installed = leftOutFolder(limits, file);
    if (isFull() && file !== SKILL_FILE) return;
    if (control !== -1) tell("file.version-control", parts.slice(0, control + 1).join("/"));
    else if (installed !== undefined) tell("file.installed", installed);
    else if (!isUsablePath(file, entry)) tell("file.name", firstUnusablePart(file));
    else if (kind === "link" || kind === "submodule") tell(`file.${kind}`, file);
    else if (!isFree(file)) tell("file.twice", file);
    else {
      files.push({ ...entry, path: file });
      hash.update(`${stamp} ${file}\n`);
    }
  }

  /** A hand-made listing may contain a name twice, or both as a file and as a directory. */
  function isFree(file: string): boolean {
    try {
      claims.file(file);
      return true;
    } catch (error) {
      if (SkillError.is(error)) return false;
      throw error;
    }
  }

  function tell(code: RepositoryDiagnosticCode, at: string): void {
    diagnostics.set(`${code} ${at}`, repositoryDiagnostic(code, at));
  }

  function finished(): SkillFolder<File> {
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
    if (isFull()) return repositoryDiagnostic("skill.too-many-files", path);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return bytes > limits.bytes ? repositoryDiagnostic("skill.too-large", path) : undefined;
  }

  return { take, isFull, finished };
}

/** True for an empty object that stands for a directory, as consoles and mounts of object stores create them. */
export function isFolderMarker(path: string, { size }: Pick<ListedFile, "size">): boolean {
  return path === "" || (path.endsWith("/") && size === 0);
}

/** @param path The path of the file, or a part of it. */
export function isUsablePath(path: string, { isText }: Pick<ListedFile, "isText">): boolean {
  return isContainedPath(path) && (isText === true || !path.includes("\ufffd"));
}

export function skillFileOf<File extends ListedFile>({
  files,
}: Pick<SkillFolder<File>, "files">): File | undefined {
  return files.find(({ path }) => path === SKILL_FILE);
}
