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
import { lstat, realPath } from "../files/file-system.js";
import { locateAgain } from "../files/locate-folder.js";
import { type DirectoryEntry, readDirectory } from "../files/read-directory.js";
import { type SeenPath, seenPath } from "../files/seen-paths.js";
import { isSettled, type Stamp } from "../files/stamp.js";
import { marksOf } from "../watch/live-folders.js";
import { flatPlaces, flatSkill } from "./flat-skill.js";
import type { FolderPlace, FoundFolders, SkillFolder } from "./folder-place.js";
import { type IgnoredFolders, withIgnoreFiles } from "./ignored-folders.js";
import type { ScanRules } from "./scan-options.js";
import {
  type BeforeReading,
  type FolderOptions,
  type SeenFolder,
  SKILL_FILE,
  seeFolder,
} from "./see-folder.js";
import { skillFolders } from "./skill-folder.js";
import type { SeenSkillFile } from "./skill-head.js";

export interface FindOptions extends ScanRules {
  readonly signal: AbortSignal | undefined;
  readonly beforeReading: BeforeReading | undefined;
  /** The stamp of the SKILL.md at that path of which the header is known. */
  readonly knownHeader: (path: string) => Stamp | undefined;
  /** True for a SKILL.md with this stamp whose header is stored; missing where none is. */
  readonly isStored: ((stat: Stamp, directoryName: string) => boolean) | undefined;
  /** Takes a skill as it was found before where nothing in it has changed since. */
  readonly takeAgain: (place: FolderPlace) => FoundSkillPlace | undefined;
  /** Called for every skill. May throw a system error when something vanished; it is then called again. */
  readonly onFolder: (folder: SkillFolder, seen: SeenHead | undefined) => Promise<void>;
  /** Called once the skill and those nested in it were taken. */
  readonly onTaken: (skill: FoundSkillPlace, found: FoundFolders) => void;
}

/** SKILL.md as it was read with its directory, and a time before that. */
export interface SeenHead {
  readonly skillFile: SeenSkillFile;
  readonly now: number;
}

/** What was skipped, and what the search depends on. */
export interface FoundPlaces {
  readonly diagnostics: readonly Diagnostic[];
  /** Every directory searched that is not a skill. Watching them reveals new skills. */
  readonly groups: readonly string[];
  /**
   * The groups and their ignore files: while all have these stamps, another search finds the same directories. Missing
   * where that is not certain.
   */
  readonly paths: readonly SeenPath[] | undefined;
  /** The outermost skills. */
  readonly skills: readonly FoundSkillPlace[];
  /** False where the search met a link between directories, or several file systems. */
  readonly isWatchable: boolean;
}

export interface FoundSkillPlace extends Pick<FoundFolders, "directories" | "device"> {
  readonly place: FolderPlace;
  /** What `marksOf` returns for the skill: the state of its files, where it is not watched completely. */
  readonly marks: string | undefined;
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
  const paths: SeenPath[] = [];
  let isCertain = true;
  const skills: FoundSkillPlace[] = [];
  const devices = new Set<bigint>();
  let hasLinks = false;
  let links: Place[] = [];
  let looked = 0;
  let next: Place[] = [{ path: ".", name, directory: root, depth: 0, ignored: undefined }];
  while (next.length > 0) {
    const level = next;
    next = [];
    await forEachLimited(level.filter(isChanged), PARALLEL, visit);
    if (next.length === 0) await followLinks();
  }
  return {
    diagnostics: [...diagnostics.values()].sort((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1)),
    groups,
    paths: isCertain && !hasLinks ? paths : undefined,
    skills,
    isWatchable: !hasLinks && devices.size < 2,
  };

  function isChanged(place: Place): boolean {
    const again = rules.takeAgain(place);
    if (again) noteSkill(again);
    return !again;
  }

  /** A directory moves while it is replaced: one that vanished is searched again before it counts as missing. */
  async function visit(place: Place): Promise<void> {
    let current = place;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++)
      try {
        return await look(current);
      } catch (error) {
        if (place.depth === 0 && !(error instanceof ChangedMeanwhile)) throw error;
        isCertain = false;
        if (isErrno(error, "EACCES", "EPERM")) return tell("scan.unreadable", place.path);
        if (!isGone(error)) throw error;
        const directory = await locateAgain(current.directory);
        if (directory === undefined) return;
        current = { ...place, directory };
      }
    tell("scan.unsettled", place.path);
  }

  async function look(place: Place): Promise<void> {
    checkAborted(signal);
    // Only a large directory, such as the root, is likely to hold others.
    const found = place.depth === 0 ? undefined : await seeFolder(place.directory, headOf(place));
    if (found?.entries.some(isSkillFile)) return await takeAt({ ...place, rules: rules.skill }, found);
    await lookInGroup(place);
  }

  function headOf({ path, name }: Place): FolderOptions {
    const { beforeReading, isStored, skillFileBytes } = rules;
    return {
      beforeReading,
      known: rules.knownHeader(path),
      most: skillFileBytes,
      isStored: isStored && ((stat) => isStored(stat, name)),
    };
  }

  /** A directory that was opened before it was replaced, and read while it was removed, shows only some of its files. */
  async function lookInGroup(place: Place): Promise<void> {
    const now = Date.now();
    rules.beforeReading?.(place.directory, 1);
    const stat = await lstat(place.directory);
    const entries = await readDirectory(place.directory);
    if (entries.some(isSkillFile)) {
      const found = await seeFolder(place.directory, headOf(place));
      return await takeAt({ ...place, rules: rules.skill }, found);
    }
    if ((await lstat(place.directory)).ino !== stat.ino) throw new ChangedMeanwhile();
    note(place.directory, stat);
    devices.add(stat.dev);
    seen.add(place.directory);
    groups.push(place.directory);
    if (++looked > maxDirectories) return tell("scan.directories", ".");
    const ignored = await withIgnoreFiles(place.ignored, place.path, entries, rules.ignoreFiles, note);
    for (const entry of entries) takeEntry({ ...place, ignored }, entry);
    if (rules.flat && place.depth === 0) for (const file of flatPlaces(entries)) await takeFlat(file);

    function note(path: string, stat: BigIntStats | undefined): void {
      if (stat && isSettled(stat, now)) paths.push(seenPath(path, stat));
      else isCertain = false;
    }
  }

  async function takeAt(place: FolderPlace, folder: SeenFolder): Promise<void> {
    const { skillFile, now } = folder;
    await takeSkill(place, await skillFolders(place, signal, folder), skillFile && { skillFile, now });
  }

  async function takeFlat(place: FolderPlace): Promise<void> {
    try {
      await takeSkill(place, await flatSkill(place), undefined);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async function takeSkill(
    place: FolderPlace,
    found: FoundFolders,
    head: SeenHead | undefined,
  ): Promise<void> {
    const { folders, directories, device } = found;
    for (const [index, folder] of folders.entries())
      if (folder.path.split("/").length > maxDepth) tell("scan.depth", folder.path);
      else await onFolder(folder, index === 0 ? head : undefined);
    const skill = { place, directories, device, marks: marksOf(found) };
    rules.onTaken(skill, found);
    noteSkill(skill);
  }

  function noteSkill(skill: FoundSkillPlace): void {
    skills.push(skill);
    if (skill.device !== undefined) devices.add(skill.device);
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
    if (waiting.length === 0) return;
    hasLinks = true;
    for (const { directories } of skills) for (const directory of directories) seen.add(directory);
    const allowed = [root, ...(await realRoots(rules.linkRoots))];
    const listed = (await realRoots(rules.listedRoots)).filter((one) => !isBelow(root, one));
    for (const place of waiting) {
      const directory = await linkedDirectory(place);
      if (directory === undefined) continue;
      if (!isBelow(directory, root) && listed.some((one) => isBelow(directory, one)))
        tell("link.listed", place.path);
      else if (!allowed.some((one) => isBelow(directory, one))) tell("link.leaves-repository", place.path);
      else if (seen.has(directory)) tell("link.duplicate", place.path);
      else next.push({ ...place, directory });
      seen.add(directory);
    }
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

/** Returns the real paths of the directories that exist. */
async function realRoots(paths: readonly string[]): Promise<readonly string[]> {
  // A link into a folder that cannot be looked at is reported as one that leads elsewhere.
  const found = await Promise.all(paths.map((path) => realPath(path).catch(() => undefined)));
  return found.filter((path) => path !== undefined);
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory + sep);
}

function isSkillFile({ name }: DirectoryEntry): boolean {
  return name === SKILL_FILE;
}

/** Reported once, not for every directory of a large tree. */
const ONCE: ReadonlySet<RepositoryDiagnosticCode> = new Set([
  "link.listed",
  "scan.depth",
  "scan.directories",
  "scan.ignored",
]);
