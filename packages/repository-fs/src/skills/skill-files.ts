import type { BigIntStats } from "node:fs";
import { sep } from "node:path";
import type { Diagnostic } from "@skillwright/core";
import {
  checkAborted,
  leftOutFolder,
  type RepositoryDiagnosticCode,
  repositoryDiagnostic,
  type SkillRules,
} from "@skillwright/core/adapter";
import { isErrno, isGone } from "../files/errno.js";
import { lstat, lstatEach, realPath } from "../files/file-system.js";
import { OWN_PREFIX } from "../files/own-names.js";
import { type DirectoryEntry, readDirectory } from "../files/read-directory.js";
import { type SeenPath, seenPath } from "../files/seen-paths.js";
import { type SeenFolder, SKILL_FILE } from "./see-folder.js";

export interface SkillFile {
  /** Path relative to the skill. */
  readonly path: string;
  /** Absolute path without links. */
  readonly location: string;
  readonly stat: BigIntStats;
}

export interface SkillFiles {
  /** Sorted by path. */
  readonly files: readonly SkillFile[];
  /** Every directory that was read, by its path in the skill (`""` for the skill's own): absolute, without links. */
  readonly directories: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
  /** Every directory with the stamp that it had before it was read, where `seen` has one too. */
  readonly stamped: readonly SeenPath[] | undefined;
  /** True where a link was found. */
  readonly hasLinks: boolean;
}

const MAX_DIRECTORIES = 2000;
/** The limit of `containedPath`; the parts are checked one by one. */
const MAX_PATH_LENGTH = 1024;
/** Directories whose content never belongs to a skill. */
export const VERSION_CONTROL: ReadonlySet<string> = new Set([".git", ".hg", ".svn"]);

interface Walk {
  /** The skill's directory: absolute, without links. */
  readonly directory: string;
  readonly signal: AbortSignal | undefined;
  readonly seen: SeenFolder | undefined;
  readonly stamped: SeenPath[] | undefined;
  readonly rules: SkillRules;
  readonly files: SkillFile[];
  readonly directories: Map<string, string>;
  readonly diagnostics: Diagnostic[];
  hasLinks: boolean;
}

/**
 * Yields every regular file of a skill with its stat, without reading any. Links are followed as long as they stay
 * inside. Stops one file beyond the limit. Throws system errors when the directory vanishes meanwhile.
 * @param directory Absolute path without links.
 */
export async function skillFiles(
  directory: string,
  signal: AbortSignal | undefined,
  rules: SkillRules,
  seen?: SeenFolder,
): Promise<SkillFiles> {
  const walk: Walk = {
    directory,
    signal,
    seen,
    stamped: seen?.stat && [seenPath(directory, seen.stat)],
    rules,
    files: [],
    directories: new Map(),
    diagnostics: [],
    hasLinks: false,
  };
  await walkFolder(walk, directory, "", []);
  sortByPath(walk.files);
  sortByPath(walk.diagnostics);
  return walk;
}

/** `trail` contains the parent directories, to detect a link back to one of them as a cycle. */
async function walkFolder(
  walk: Walk,
  location: string,
  prefix: string,
  trail: readonly string[],
): Promise<void> {
  checkAborted(walk.signal);
  walk.directories.set(prefix.slice(0, -1), location);
  const seen = prefix === "" ? walk.seen : undefined;
  if (!seen) walk.seen?.beforeReading?.(location, walk.directories.size);
  if (walk.stamped && !seen) walk.stamped.push(seenPath(location, await lstat(location)));
  const entries = seen?.entries ?? (await readDirectory(location));
  const plain: DirectoryEntry[] = [];
  const others: DirectoryEntry[] = [];
  for (const entry of entries) (isPlainFile(entry, prefix) ? plain : others).push(entry);
  await addEach(walk, plain, prefix, seen?.skillFile?.stat);
  if (others.length === 0) return;
  const inside = [...trail, location];
  if (others.length === 1)
    return await take(walk, others[0] as DirectoryEntry, prefix + others[0]?.name, inside);
  await Promise.all(others.map((entry) => take(walk, entry, prefix + entry.name, inside)));
}

/** Handles nearly all entries; together they take a third of the time. */
async function addEach(
  walk: Walk,
  entries: readonly DirectoryEntry[],
  prefix: string,
  skillFile: BigIntStats | undefined,
): Promise<void> {
  const room = Math.max(0, walk.rules.files + 1 - walk.files.length);
  const fitting =
    entries.length <= room
      ? entries
      : entries.filter(({ name }, index) => index < room || prefix + name === SKILL_FILE);
  const locations: string[] = [];
  for (const { name, location } of fitting) if (!skillFile || name !== SKILL_FILE) locations.push(location);
  const stats = await lstatEach(locations);
  let next = 0;
  for (const { name, location } of fitting) {
    const stat = skillFile && name === SKILL_FILE ? skillFile : (stats[next++] as BigIntStats);
    addFile(walk, location, prefix + name, stat);
  }
}

async function take(
  walk: Walk,
  entry: DirectoryEntry,
  path: string,
  trail: readonly string[],
): Promise<void> {
  if (isFull(walk)) return;
  if (!isUsableAt(entry, path)) tell(walk, "file.name", path);
  else if (VERSION_CONTROL.has(entry.name)) tell(walk, "file.version-control", path);
  else if (walk.rules.leaveOut.has(entry.name)) tell(walk, "file.installed", path);
  else if (entry.kind === "directory") await walkInside(walk, entry.location, path, trail);
  else if (entry.kind === "link") await follow(walk, entry.location, path, trail);
  else tell(walk, "file.special", path);
}

function addFile(walk: Walk, location: string, path: string, stat: BigIntStats): void {
  if (!stat.isFile()) tell(walk, "file.special", path);
  else if (!isFull(walk) || path === SKILL_FILE) walk.files.push({ path, location, stat });
}

async function walkInside(
  walk: Walk,
  location: string,
  path: string,
  trail: readonly string[],
): Promise<void> {
  try {
    await walkFolder(walk, location, `${path}/`, trail);
  } catch (error) {
    if (!isErrno(error, "EACCES", "EPERM")) throw error;
    tell(walk, "file.unreadable", path);
  }
}

async function follow(walk: Walk, link: string, path: string, trail: readonly string[]): Promise<void> {
  walk.hasLinks = true;
  const location = await resolveInside(walk.directory, link, walk.rules);
  const stat = location === undefined ? undefined : await lstat(location);
  if (location === undefined) tell(walk, "file.link", path);
  else if (stat?.isFile()) addFile(walk, location, path, stat);
  else if (!stat?.isDirectory()) tell(walk, "file.special", path);
  else if (trail.some((above) => isInside(location, above))) tell(walk, "file.link", path);
  else await walkInside(walk, location, path, trail);
}

/** One more than allowed is kept, so that the caller detects that there are too many. */
function isFull({ files, directories, rules }: Walk): boolean {
  return files.length > rules.files || directories.size > MAX_DIRECTORIES;
}

function tell(walk: Walk, code: RepositoryDiagnosticCode, path: string): void {
  walk.diagnostics.push(repositoryDiagnostic(code, path));
}

function sortByPath(list: { readonly path?: string | undefined }[]): void {
  const isSorted = list.every(({ path = "" }, index) => index === 0 || (list[index - 1]?.path ?? "") <= path);
  if (!isSorted) list.sort((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1));
}

function isPlainFile(entry: DirectoryEntry, prefix: string): boolean {
  return entry.kind === "file" && !VERSION_CONTROL.has(entry.name) && isUsableAt(entry, prefix + entry.name);
}

function isUsableAt({ isUsable }: DirectoryEntry, path: string): boolean {
  return isUsable && path.length <= MAX_PATH_LENGTH;
}

/**
 * The path with all links resolved; `undefined` where that is missing or not part of the skill.
 * @param directory The skill's directory: absolute, without links.
 */
export async function resolveInside(
  directory: string,
  path: string,
  rules: SkillRules,
): Promise<string | undefined> {
  const location = await realLocation(path);
  if (location === undefined || location === directory || !isInside(directory, location)) return undefined;
  const parts = location.slice(directory.length + 1).split(sep);
  return parts.some(isNoPart) || leftOutFolder(rules, parts.join("/")) !== undefined ? undefined : location;
}

async function realLocation(path: string): Promise<string | undefined> {
  try {
    return await realPath(path);
  } catch (error) {
    if (isGone(error) || isErrno(error, "ELOOP", "EACCES", "ENAMETOOLONG")) return undefined;
    throw error;
  }
}

function isNoPart(name: string): boolean {
  return VERSION_CONTROL.has(name) || name.startsWith(OWN_PREFIX);
}

function isInside(directory: string, path: string): boolean {
  return `${path}${sep}`.startsWith(`${directory}${sep}`);
}
