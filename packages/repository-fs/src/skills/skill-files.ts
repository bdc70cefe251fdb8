import type { BigIntStats } from "node:fs";
import { sep } from "node:path";
import { checkAborted, type Diagnostic, SKILL_LIMITS } from "@skillwright/core";
import { isErrno, isGone } from "../files/errno.js";
import { lstat, lstatEach, realPath } from "../files/file-system.js";
import { OWN_PREFIX } from "../files/own-names.js";
import { type DirectoryEntry, readDirectory } from "../files/read-directory.js";
import { folderDiagnostic } from "./diagnostics.js";

export interface SkillFile {
  /** Relative to the skill. */
  readonly path: string;
  /** Absolute, without links. */
  readonly location: string;
  readonly stat: BigIntStats;
}

export interface SkillFiles {
  /** Sorted by path. */
  readonly files: readonly SkillFile[];
  /** Every folder that was looked into, by its path in the skill (`""` for the skill's own): absolute, without links. */
  readonly directories: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether any link was come across. */
  readonly hasLinks: boolean;
}

/** Kept however many there are, so that it is the number that is told. */
const SKILL_FILE = "SKILL.md";
const MAX_DIRECTORIES = 2000;
/** As `containedPath` has it; the parts are checked one by one. */
const MAX_PATH_LENGTH = 1024;
/** Folders whose content is no part of a skill. */
export const VERSION_CONTROL: ReadonlySet<string> = new Set([".git", ".hg", ".svn"]);

/**
 * Every regular file of a skill with its stat; none is read. Links are followed as far as they stay inside. Stops one
 * file beyond the limit. Rejects as the system does when the folder vanishes meanwhile.
 * @param directory Absolute, without links.
 * @param known What is in it, where that was just read.
 */
export async function skillFiles(
  directory: string,
  signal: AbortSignal | undefined,
  known?: readonly DirectoryEntry[],
): Promise<SkillFiles> {
  const files: SkillFile[] = [];
  const directories = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  let hasLinks = false;
  await walk(directory, "", [], known);
  for (const list of [files, diagnostics]) list.sort((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1));
  return { files, directories, diagnostics, hasLinks };

  /** `trail` has the folders on the way here, so that a link back to one of them is seen to be a circle. */
  async function walk(
    location: string,
    prefix: string,
    trail: readonly string[],
    read?: readonly DirectoryEntry[],
  ): Promise<void> {
    checkAborted(signal);
    directories.set(prefix.slice(0, -1), location);
    const entries = read ?? (await readDirectory(location));
    const inside = [...trail, location];
    const plain: DirectoryEntry[] = [];
    const others: DirectoryEntry[] = [];
    for (const entry of entries) (isPlainFile(entry, prefix) ? plain : others).push(entry);
    await Promise.all([
      addEach(plain, prefix),
      ...others.map(async (entry) => await take(entry, prefix + entry.name, inside)),
    ]);
  }

  /** Nearly all of them; together they take a third of the time. */
  async function addEach(entries: readonly DirectoryEntry[], prefix: string): Promise<void> {
    const room = Math.max(0, SKILL_LIMITS.files + 1 - files.length);
    const fitting = entries.filter(({ name }, index) => index < room || prefix + name === SKILL_FILE);
    const stats = await lstatEach(fitting.map(({ location }) => location));
    for (const [index, { name, location }] of fitting.entries())
      addFile(location, prefix + name, stats[index] as BigIntStats);
  }

  async function take(entry: DirectoryEntry, path: string, trail: readonly string[]): Promise<void> {
    if (isFull()) return;
    if (!isUsableAt(entry, path)) tell("file.name", path);
    else if (VERSION_CONTROL.has(entry.name)) tell("file.version-control", path);
    else if (entry.kind === "directory") await walkInside(entry.location, path, trail);
    else if (entry.kind === "link") await follow(entry.location, path, trail);
    else tell("file.special", path);
  }

  function addFile(location: string, path: string, stat: BigIntStats): void {
    if (!stat.isFile()) tell("file.special", path);
    else if (!isFull() || path === SKILL_FILE) files.push({ path, location, stat });
  }

  async function walkInside(location: string, path: string, trail: readonly string[]): Promise<void> {
    await walk(location, `${path}/`, trail).catch((error: unknown) => {
      if (!isErrno(error, "EACCES", "EPERM")) throw error;
      tell("file.unreadable", path);
    });
  }

  async function follow(link: string, path: string, trail: readonly string[]): Promise<void> {
    hasLinks = true;
    const location = await resolveInside(directory, link);
    const stat = location === undefined ? undefined : await lstat(location);
    if (location === undefined) tell("file.link", path);
    else if (stat?.isFile()) addFile(location, path, stat);
    else if (!stat?.isDirectory()) tell("file.special", path);
    else if (trail.some((above) => isInside(location, above))) tell("file.link", path);
    else await walkInside(location, path, trail);
  }

  /** One more than allowed is kept, so that whoever counts sees that there are too many. */
  function isFull(): boolean {
    return files.length > SKILL_LIMITS.files || directories.size > MAX_DIRECTORIES;
  }

  function tell(code: Parameters<typeof folderDiagnostic>[0], path: string): void {
    diagnostics.push(folderDiagnostic(code, path));
  }
}

function isPlainFile(entry: DirectoryEntry, prefix: string): boolean {
  return entry.kind === "file" && !VERSION_CONTROL.has(entry.name) && isUsableAt(entry, prefix + entry.name);
}

function isUsableAt({ isUsable }: DirectoryEntry, path: string): boolean {
  return isUsable && path.length <= MAX_PATH_LENGTH;
}

/**
 * Where the path leads when all links are followed; `undefined` where that is nothing, or no part of the skill.
 * @param directory The skill's, absolute, without links.
 */
export async function resolveInside(directory: string, path: string): Promise<string | undefined> {
  const location = await realPath(path).catch((error: unknown) => {
    if (isGone(error) || isErrno(error, "ELOOP", "EACCES", "ENAMETOOLONG")) return undefined;
    throw error;
  });
  if (location === undefined || location === directory || !isInside(directory, location)) return undefined;
  const parts = location.slice(directory.length + 1).split(sep);
  return parts.some(isLeftOut) ? undefined : location;
}

function isLeftOut(name: string): boolean {
  return VERSION_CONTROL.has(name) || name.startsWith(OWN_PREFIX);
}

function isInside(directory: string, path: string): boolean {
  return `${path}${sep}`.startsWith(`${directory}${sep}`);
}
