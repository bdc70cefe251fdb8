import type { BigIntStats } from "node:fs";
import { sep } from "node:path";
import type { Diagnostic } from "@skillwright/core";
import {
  checkAborted,
  forEachLimited,
  type RepositoryDiagnosticCode,
  repositoryDiagnostic,
} from "@skillwright/core/adapter";
import { ChangedMeanwhile, isErrno, isGone } from "../files/errno.js";
import { lstatOf, lstatStep } from "../files/file-steps.js";
import { lstat, realPath } from "../files/file-system.js";
import { locateAgain } from "../files/locate-folder.js";
import { type DirectoryEntry, readDirectory } from "../files/read-directory.js";
import { runSteps, type Steps, waitFor } from "../files/steps.js";
import { flatPlaces, flatSkill } from "./flat-skill.js";
import type { FolderPlace, FoundFolders, SkillFolder } from "./folder-place.js";
import { type IgnoredFolders, withIgnoreFiles } from "./ignored-folders.js";
import type { ScanRules } from "./scan-options.js";
import { type SeenFolder, SKILL_FILE } from "./skill-files.js";
import { skillFolders } from "./skill-folder.js";

export interface FindOptions extends ScanRules {
  readonly signal: AbortSignal | undefined;
  /** Called for every skill. May throw a system error when something vanished; it is then called again. */
  readonly onFolder: (folder: SkillFolder) => Steps<void>;
}

/** What was skipped, and what the search depends on. */
export interface FoundPlaces {
  readonly diagnostics: readonly Diagnostic[];
  /** Every directory searched that is not a skill. Watching them reveals new skills. */
  readonly groups: readonly string[];
  /** The outermost skills. */
  readonly skills: readonly FoundSkillPlace[];
  /** False where the search met a link between directories, or several file systems. */
  readonly isWatchable: boolean;
}

export interface FoundSkillPlace extends Pick<FoundFolders, "directories" | "isWatchable"> {
  readonly place: FolderPlace;
}

interface Place extends FolderPlace {
  readonly depth: number;
  readonly ignored: IgnoredFolders | undefined;
}

const PARALLEL = 16;
const ATTEMPTS = 20;

/**
 * Searches for directories with a SKILL.md below the root, breadth first, directory links last. Returns what was
 * skipped.
 * @param root Absolute path without links.
 * @param name Name of the root.
 */
export async function findFolders(
  root: string,
  name: string,
  { depth: maxDepth, directories: maxDirectories, signal, onFolder, ...rules }: FindOptions,
): Promise<FoundPlaces> {
  const diagnostics = new Map<string, Diagnostic>();
  const seen = new Set<string>();
  const groups: string[] = [];
  const skills: FoundSkillPlace[] = [];
  const devices = new Set<bigint>();
  let hasLinks = false;
  let hasFailed = false;
  let links: Place[] = [];
  let looked = 0;
  let next: Place[] = [{ path: ".", name, directory: root, depth: 0, ignored: undefined }];
  while (next.length > 0) {
    const level = next;
    next = [];
    const places = level[Symbol.iterator]();
    await forEachLimited(Array(PARALLEL).keys(), PARALLEL, () => runSteps(visitEach(places)));
    if (next.length === 0) await followLinks();
  }
  return {
    diagnostics: [...diagnostics.values()].sort((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1)),
    groups,
    skills,
    isWatchable: !hasLinks && devices.size < 2,
  };

  /**
   * Several of these share the iterator; a promise for each of thousands of places would cost as much as a system call.
   */
  function* visitEach(places: Iterator<Place>): Steps<void> {
    try {
      for (let next = places.next(); !next.done && !hasFailed; next = places.next()) yield* visit(next.value);
    } catch (error) {
      // The others finish their current place and start no other.
      hasFailed = true;
      throw error;
    }
  }

  /** A directory moves while it is replaced: one that vanished is searched again before it counts as missing. */
  function* visit(place: Place): Steps<void> {
    let current = place;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++)
      try {
        return yield* look(current);
      } catch (error) {
        if (place.depth === 0 && !(error instanceof ChangedMeanwhile)) throw error;
        if (isErrno(error, "EACCES", "EPERM")) return tell("scan.unreadable", place.path);
        if (!isGone(error)) throw error;
        const directory = yield* waitFor(() => locateAgain(current.directory));
        if (directory === undefined) return;
        current = { ...place, directory };
      }
    tell("scan.unsettled", place.path);
  }

  function* look(place: Place): Steps<void> {
    checkAborted(signal);
    const skillFile = yield* skillFileStat(place.directory);
    const { ino, dev } = skillFile ?? (yield* lstatStep(place.directory));
    const entries = yield* readDirectory(place.directory);
    devices.add(dev);
    seen.add(place.directory);
    const hasSkill = entries.some((entry) => entry.name === SKILL_FILE);
    if (hasSkill && !skillFile) throw new ChangedMeanwhile();
    if (hasSkill && skillFile) return yield* takeAt({ ...place, rules: rules.skill }, { entries, skillFile });
    // A directory that was opened before it was replaced, and read while it was removed, showed only some of its files.
    if ((yield* lstatStep(place.directory)).ino !== ino) throw new ChangedMeanwhile();
    groups.push(place.directory);
    if (++looked > maxDirectories) return tell("scan.directories", ".");
    const ignored = yield* waitFor(() =>
      withIgnoreFiles(place.ignored, place.path, entries, rules.ignoreFiles),
    );
    for (const entry of entries) takeEntry({ ...place, ignored }, entry);
    if (rules.flat && place.depth === 0) for (const file of flatPlaces(entries)) yield* takeFlat(file);
  }

  function* takeAt(place: FolderPlace, seenFolder: SeenFolder): Steps<void> {
    yield* takeSkill(place, yield* skillFolders(place, signal, seenFolder));
  }

  function* takeFlat(place: FolderPlace): Steps<void> {
    const found = yield* flatFound(place);
    if (found) yield* takeSkill(place, found);
  }

  function* flatFound(place: FolderPlace): Steps<FoundFolders | undefined> {
    try {
      return yield* flatSkill(place);
    } catch (error) {
      if (!isGone(error)) throw error;
      return undefined;
    }
  }

  function* takeSkill(place: FolderPlace, found: FoundFolders): Steps<void> {
    const { folders, directories, isWatchable } = found;
    skills.push({ place, directories, isWatchable });
    for (const directory of directories) seen.add(directory);
    for (const folder of folders)
      if (folder.path.split("/").length <= maxDepth) yield* onFolder(folder);
      else tell("scan.depth", folder.path);
  }

  function takeEntry(parent: Place, { name, kind, location, isUsable }: DirectoryEntry): void {
    const path = parent.path === "." ? name : `${parent.path}/${name}`;
    if (kind === "file" && name.toLowerCase() === "skill.md") tell("skill-file.name", path);
    if ((kind !== "directory" && kind !== "link") || name.startsWith(".") || name === "node_modules") return;
    const place = { path, name, directory: location, depth: parent.depth + 1, ignored: parent.ignored };
    if (isUsable && parent.ignored?.isIgnored(path)) tell("scan.ignored", path);
    else if (!isUsable) tell("scan.name", path);
    else if (place.depth > maxDepth) tell("scan.depth", path);
    else if (kind === "link") links.push(place);
    else next.push(place);
  }

  /** Done after all real directories, so that a directory is listed at its own path rather than at a link to it. */
  async function followLinks(): Promise<void> {
    const waiting = links.sort((a, b) => (a.path < b.path ? -1 : 1));
    links = [];
    hasLinks ||= waiting.length > 0;
    const allowed = waiting.length > 0 ? await allowedRoots() : [];
    for (const place of waiting) {
      const directory = await linkedDirectory(place);
      if (directory === undefined) continue;
      if (!allowed.some((one) => directory === one || directory.startsWith(one + sep)))
        tell("link.leaves-repository", place.path);
      else if (seen.has(directory)) tell("link.duplicate", place.path);
      else next.push({ ...place, directory });
      seen.add(directory);
    }
  }

  async function allowedRoots(): Promise<readonly string[]> {
    const others = await Promise.all(rules.linkRoots.map((path) => realPath(path).catch(() => undefined)));
    return [root, ...others.filter((path) => path !== undefined)];
  }

  async function linkedDirectory({ directory, path }: Place): Promise<string | undefined> {
    try {
      const location = await realPath(directory);
      return (await lstat(location)).isDirectory() ? location : undefined;
    } catch (error) {
      if (!isGone(error) && !isErrno(error, "ELOOP", "EACCES")) throw error;
      tell("link.broken", path);
      return undefined;
    }
  }

  function tell(code: RepositoryDiagnosticCode, path: string): void {
    diagnostics.set(ONCE.has(code) ? code : `${code} ${path}`, repositoryDiagnostic(code, path));
  }
}

/** `undefined` where there is none; the directory then contains several skills, or nothing. */
function* skillFileStat(directory: string): Steps<BigIntStats | undefined> {
  try {
    return (yield lstatOf(directory + sep + SKILL_FILE)) as BigIntStats;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Reported once, not for every directory of a large tree. */
const ONCE: ReadonlySet<RepositoryDiagnosticCode> = new Set([
  "scan.depth",
  "scan.directories",
  "scan.ignored",
]);
