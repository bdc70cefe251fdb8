import { basename, resolve } from "node:path";
import { type BrokenSkill, type Diagnostic, SkillError, type SkillSummary } from "@skillwright/core";
import {
  checkAborted,
  type FoundSkill,
  inListingOrder,
  isSummary,
  pickSkill,
  repositoryDiagnostic,
  skillNotFound,
} from "@skillwright/core/adapter";
import { isErrno, isGone } from "../files/errno.js";
import { realPath } from "../files/file-system.js";
import { locateAgain, locateFile } from "../files/locate-folder.js";
import type { LiveFolders } from "../watch/live-folders.js";
import { type FoundPlaces, findFolders } from "./find-folders.js";
import type { FolderPlace } from "./folder-place.js";
import type { LoadMemory } from "./load-folder.js";
import { readSummary } from "./read-summary.js";
import type { ScanRules } from "./scan-options.js";

export interface PlacedSkill extends FoundSkill {
  readonly place: FolderPlace;
}

export interface Scan {
  /** Usable skills by name, then path; then the broken ones by path. */
  readonly skills: readonly PlacedSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Where the skills are, as of the last scan, and what is remembered of them. */
export interface SkillIndex {
  readonly memory: LoadMemory;
  /**
   * Checks every directory, unless watches show that nothing changed, and reads the files that are not remembered. An
   * equal result is returned as the same object.
   */
  scan(signal: AbortSignal | undefined): Promise<Scan>;
  /**
   * Calls `use` with the place of the skill, first as remembered. When `use` rejects with `ChangedMeanwhile`, or with a
   * system error, because the skill is not there any more, it is called again with the place found by a new scan.
   * @throws SkillError `SKILL_NOT_FOUND`.
   */
  withPlace<T>(
    name: string,
    signal: AbortSignal | undefined,
    use: (place: FolderPlace) => Promise<T>,
  ): Promise<T>;
  /** False where the newest scan found no skill with this name or path. True before the first scan. */
  mayHave(name: string): boolean;
  /** True for the scan object that was taken last. */
  isNewest(scan: Scan | undefined): boolean;
  forget(): void;
}

interface OrderedScan {
  readonly order: number;
  readonly scan: Scan;
  /** Missing where the directory does not exist. */
  readonly places: FoundPlaces | undefined;
}

interface IndexParts {
  readonly root: string;
  readonly label: string;
  readonly rules: ScanRules;
  readonly live: LiveFolders;
}

const ATTEMPTS = 20;

export function skillIndex({ root, label, rules, live }: IndexParts): SkillIndex {
  const { skillFileBytes } = rules;
  const memory: LoadMemory = { headers: new Map(), skills: new Map(), skillFileBytes };
  let last: OrderedScan | undefined;
  let started = 0;
  return {
    memory,
    scan,
    withPlace,
    mayHave,
    isNewest: (one) => one !== undefined && one === last?.scan,
    forget,
  };

  async function scan(signal: AbortSignal | undefined): Promise<Scan> {
    if (last && (await live.isUnchanged(signal))) return last.scan;
    let found = await scanNow(signal);
    // Watches that were just added have missed earlier changes.
    if (found.places && (await live.cover(found.places))) found = await scanNow(signal);
    if (found.places && found.order === started) await live.settle(found.places);
    return found.scan;
  }

  async function scanNow(signal: AbortSignal | undefined): Promise<OrderedScan> {
    const order = ++started;
    live.begin();
    const found = new Map<string, PlacedSkill>();
    const { diagnostics, places } = await findAll(found, signal);
    const fresh: Scan = { skills: [...found.values()].sort(inListingOrder), diagnostics };
    const scan = last && isSameScan(last.scan, fresh) ? last.scan : fresh;
    const ordered = { order, scan, places };
    // A scan that started later has finished first and is newer.
    if (last && last.order > order) return ordered;
    for (const memorised of [memory.headers, memory.skills])
      for (const path of memorised.keys()) if (!found.has(path)) memorised.delete(path);
    last = ordered;
    return ordered;
  }

  async function findAll(
    found: Map<string, PlacedSkill>,
    signal: AbortSignal | undefined,
  ): Promise<{ diagnostics: readonly Diagnostic[]; places: FoundPlaces | undefined }> {
    const headless: Diagnostic[] = [];
    try {
      const places = await findFolders(await realPath(root), basename(resolve(root)), {
        ...rules,
        signal,
        *onFolder(folder) {
          const { path, name, directory, flat } = folder;
          const place = { path, name, directory, rules: rules.skill, ...(flat && { flat }) };
          const entry = { place, found: yield* readSummary(folder, memory.headers, skillFileBytes) };
          if (flat && isHeadless(entry.found)) headless.push(repositoryDiagnostic("scan.no-header", path));
          else found.set(path, entry);
        },
      });
      return { diagnostics: [...places.diagnostics, ...headless], places };
    } catch (error) {
      if (isErrno(error, "ENOENT"))
        return { diagnostics: [repositoryDiagnostic("repository.missing", root)], places: undefined };
      if (isErrno(error, "ENOTDIR")) throw notFolder(root);
      throw error;
    }
  }

  async function withPlace<T>(
    name: string,
    signal: AbortSignal | undefined,
    use: (place: FolderPlace) => Promise<T>,
  ): Promise<T> {
    let remembered = last?.scan.skills;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      checkAborted(signal);
      const skills = remembered ?? (await scan(signal)).skills;
      const place = pickSkill(skills, name)?.place;
      if (!place && !remembered) throw skillNotFound(`no skill "${name}"`, label);
      remembered = undefined;
      const directory = place && (await located(place));
      if (!place || directory === undefined) continue;
      try {
        return await use({ ...place, directory });
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
    throw new SkillError(
      "BACKEND_FAILED",
      `The skill "${name}" kept changing while it was read. Try again when the changes are complete.`,
    );
  }

  function mayHave(name: string): boolean {
    return !last || pickSkill(last.scan.skills, name) !== undefined;
  }

  function forget(): void {
    memory.headers.clear();
    memory.skills.clear();
    live.forget();
    last = undefined;
  }
}

async function located({ directory, flat }: FolderPlace): Promise<string | undefined> {
  return flat ? await locateFile(directory) : await locateAgain(directory);
}

function isHeadless(found: SkillSummary | BrokenSkill): boolean {
  return !isSummary(found) && found.diagnostics.some(({ code }) => code === "frontmatter.missing");
}

/** Broken skills, and those changed just now, are new objects each time: they are compared by value. */
function isSameScan(a: Scan, b: Scan): boolean {
  return (
    a.skills.length === b.skills.length &&
    a.skills.every(({ place, found }, index) => {
      const other = b.skills[index];
      const isAlike = other?.found === found || isSameText(found, other?.found);
      return isAlike && other?.place.directory === place.directory;
    }) &&
    isSameText(a.diagnostics, b.diagnostics)
  );
}

function isSameText(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function notFolder(root: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The repository's root ${root} is not a folder. Give the folder of the skills.`,
  );
}
