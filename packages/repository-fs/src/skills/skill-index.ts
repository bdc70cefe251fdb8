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
  taskQueue,
} from "@skillwright/core/adapter";
import { isErrno, isGone } from "../files/errno.js";
import { realPath } from "../files/file-system.js";
import { locateAgain, locateFile } from "../files/locate-folder.js";
import { areUnchanged, type SeenPath } from "../files/seen-paths.js";
import type { LiveFolders } from "../watch/live-folders.js";
import { type FoundPlaces, type FoundSkillPlace, findFolders } from "./find-folders.js";
import type { FolderPlace } from "./folder-place.js";
import type { HeadCache } from "./head-cache.js";
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
  /** Names of directories in a skill that are not part of it. */
  readonly leftOut: ReadonlySet<string>;
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
  /** The skill as the newest scan found it, while watches show that it has not changed since; `undefined` otherwise. */
  watched(name: string): Promise<PlacedSkill | undefined>;
  /** False where the newest scan found no skill with this name or path. True before the first scan. */
  mayHave(name: string): boolean;
  /** True for the scan object that was taken last. */
  isNewest(scan: Scan | undefined): boolean;
  forget(): void;
}

interface OrderedScan {
  readonly order: number;
  readonly scan: Scan;
  /** The root without links. */
  readonly home?: string;
  /** Missing where the directory does not exist. */
  readonly places: FoundPlaces | undefined;
  /** The skills that the next scan may take again, by path. */
  readonly taken: ReadonlyMap<string, TakenSkill>;
}

/** A skill of an earlier scan, which is taken again while all of its paths are unchanged. */
interface TakenSkill {
  readonly entry: PlacedSkill;
  readonly skill: FoundSkillPlace;
  readonly paths: readonly SeenPath[];
}

interface IndexParts {
  readonly root: string;
  readonly label: string;
  readonly rules: ScanRules;
  readonly live: LiveFolders;
  readonly heads: HeadCache;
}

const ATTEMPTS = 20;

export function skillIndex({ root, label, rules, live, heads }: IndexParts): SkillIndex {
  const { skillFileBytes } = rules;
  const memory: LoadMemory = { headers: new Map(), skills: new Map(), skillFileBytes };
  /** Scans run one after the other: two at once take twice as long, and a caller that has waited can often use the result of the first. */
  const turns = taskQueue();
  let last: OrderedScan | undefined;
  let started = 0;
  return {
    memory,
    leftOut: rules.skill.leaveOut,
    scan,
    withPlace,
    watched,
    mayHave,
    isNewest: (one) => one !== undefined && one === last?.scan,
    forget,
  };

  async function scan(signal: AbortSignal | undefined): Promise<Scan> {
    const before = started;
    if (last && (await live.isUnchanged(signal))) return last.scan;
    return await turns.run(async () => {
      if (last && (last.order > before || (await live.isUnchanged(signal)))) return last.scan;
      let found = await scanNow(signal);
      // Watches that were just added have missed earlier changes.
      if (found.places && (await live.cover(found.places))) found = await scanNow(signal);
      if (found.places) await live.settle(found.places);
      return found.scan;
    }, signal);
  }

  async function scanNow(signal: AbortSignal | undefined): Promise<OrderedScan> {
    const order = ++started;
    live.begin();
    const before = last;
    const found = new Map<string, PlacedSkill>();
    const result = await findAll(found, before, signal);
    if (result === "unchanged") {
      last = { ...(before as OrderedScan), order };
      return last;
    }
    const { diagnostics, ...rest } = result;
    const fresh: Scan = { skills: [...found.values()].sort(inListingOrder), diagnostics };
    const scan = last && isSameScan(last.scan, fresh) ? last.scan : fresh;
    last = { order, scan, ...rest };
    for (const memorised of [memory.headers, memory.skills])
      for (const path of memorised.keys()) if (!found.has(path)) memorised.delete(path);
    heads.save(memory.headers);
    return last;
  }

  async function findAll(
    found: Map<string, PlacedSkill>,
    before: OrderedScan | undefined,
    signal: AbortSignal | undefined,
  ): Promise<"unchanged" | (Omit<OrderedScan, "order" | "scan"> & Pick<Scan, "diagnostics">)> {
    const taken = new Map<string, TakenSkill>();
    const headless: Diagnostic[] = [];
    try {
      const home = await realPath(root);
      if (!last) await heads.load(home);
      checkAborted(signal);
      const again = await unchangedOf(home, before);
      if (again === "all") return "unchanged";
      const places = await findFolders(home, basename(resolve(root)), {
        ...rules,
        signal,
        beforeReading: live.beforeReading,
        knownHeader: (path) => memory.headers.get(path)?.stamp,
        isStored: heads.isLoaded ? heads.has : undefined,
        takeAgain({ path, directory }) {
          const skill = again.get(path);
          if (skill?.entry.place.directory !== directory) return undefined;
          found.set(path, skill.entry);
          taken.set(path, skill);
          return skill.skill;
        },
        async onFolder(folder, seen) {
          const { path, name, directory, flat } = folder;
          const place = { path, name, directory, rules: rules.skill, ...(flat && { flat }) };
          const { stat, head } = seen?.skillFile ?? {};
          if (head) heads.noteRead();
          const stored = stat && !head ? heads.find(stat, name) : undefined;
          const summary = await readSummary(folder, memory.headers, skillFileBytes, seen, stored);
          if (flat && isHeadless(summary)) headless.push(repositoryDiagnostic("scan.no-header", path));
          else found.set(path, { place, found: summary });
        },
        onTaken(skill, { paths }) {
          const entry = found.get(skill.place.path);
          if (paths && entry && !isUnread(entry.found)) taken.set(skill.place.path, { entry, skill, paths });
        },
      });
      return { diagnostics: [...places.diagnostics, ...headless], places, home, taken };
    } catch (error) {
      if (isErrno(error, "ENOENT"))
        return { diagnostics: [repositoryDiagnostic("repository.missing", root)], places: undefined, taken };
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

  async function watched(name: string): Promise<PlacedSkill | undefined> {
    const found = last && pickSkill(last.scan.skills, name);
    return found && (await live.isSkillUnchanged(found.place.path)) ? found : undefined;
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

/** The skills of an earlier scan whose files are unchanged; `all` where another scan would have the same result. */
async function unchangedOf(
  home: string,
  before: OrderedScan | undefined,
): Promise<"all" | ReadonlyMap<string, TakenSkill>> {
  if (!before) return new Map();
  const { taken, places } = before;
  const groups = before.home === home && places?.skills.length === taken.size ? places.paths : undefined;
  const lists = [groups ?? [], ...Array.from(taken.values(), ({ paths }) => paths)];
  const [sameGroups, ...same] = await areUnchanged(lists);
  if (groups && sameGroups && !same.includes(false)) return "all";
  return new Map([...taken].filter((_skill, index) => same[index]));
}

async function located({ directory, flat }: FolderPlace): Promise<string | undefined> {
  return flat ? await locateFile(directory) : await locateAgain(directory);
}

function isHeadless(found: SkillSummary | BrokenSkill): boolean {
  return !isSummary(found) && found.diagnostics.some(({ code }) => code === "frontmatter.missing");
}

/** The next attempt to read it may succeed, although nothing in it has changed. */
function isUnread(found: SkillSummary | BrokenSkill): boolean {
  return !isSummary(found) && found.diagnostics.some(({ code }) => code === "skill-file.unreadable");
}

/** Skills changed just now are new objects each time: they are compared by value. */
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
