import { basename, resolve } from "node:path";
import {
  type BrokenSkill,
  checkAborted,
  type Diagnostic,
  SkillError,
  type SkillSummary,
} from "@skillwright/core";
import { isErrno, isGone } from "../files/errno.js";
import { realPath } from "../files/file-system.js";
import { locateAgain } from "../files/locate-folder.js";
import { folderDiagnostic } from "./diagnostics.js";
import { findFolders, type ScanLimits } from "./find-folders.js";
import type { LoadMemory } from "./load-folder.js";
import { isSummary, readSummary } from "./read-summary.js";
import type { FolderPlace } from "./skill-folder.js";

export interface FoundSkill {
  readonly place: FolderPlace;
  readonly found: SkillSummary | BrokenSkill;
}

interface Scan {
  /** Usable ones by name, then path; then the broken ones by path. */
  readonly skills: readonly FoundSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Where the skills are, as far as it was seen, and what is remembered of them. */
export interface SkillIndex {
  readonly memory: LoadMemory;
  /** Looks at every folder; reads the files that are not remembered. */
  scan(signal: AbortSignal | undefined): Promise<Scan>;
  /**
   * Lends out the place of the skill, first as it is remembered. `use` rejects with `ChangedMeanwhile`, or as the system
   * does, when the skill is not there any more; it is then called again with the place found by a new scan.
   * @throws SkillError `SKILL_NOT_FOUND`.
   */
  withPlace<T>(
    name: string,
    signal: AbortSignal | undefined,
    use: (place: FolderPlace) => Promise<T>,
  ): Promise<T>;
  forget(): void;
}

const ATTEMPTS = 20;

export function skillIndex(root: string, label: string, limits: ScanLimits): SkillIndex {
  const memory: LoadMemory = { headers: new Map(), skills: new Map() };
  let last: readonly FoundSkill[] | undefined;
  return { memory, scan, withPlace, forget };

  async function scan(signal: AbortSignal | undefined): Promise<Scan> {
    const found = new Map<string, FoundSkill>();
    const diagnostics = await diagnosticsOfScan(found, signal);
    for (const memorised of [memory.headers, memory.skills])
      for (const path of memorised.keys()) if (!found.has(path)) memorised.delete(path);
    last = [...found.values()].sort(inOrder);
    return { skills: last, diagnostics };
  }

  async function diagnosticsOfScan(
    found: Map<string, FoundSkill>,
    signal: AbortSignal | undefined,
  ): Promise<readonly Diagnostic[]> {
    try {
      return await findFolders(await realPath(root), basename(resolve(root)), {
        ...limits,
        signal,
        onFolder: async (folder) => {
          const { path, name, directory } = folder;
          const place = { path, name, directory };
          found.set(path, { place, found: await readSummary(folder, memory.headers) });
        },
      });
    } catch (error) {
      if (isErrno(error, "ENOENT")) return [folderDiagnostic("repository.missing", root)];
      if (isErrno(error, "ENOTDIR")) throw notFolder(root);
      throw error;
    }
  }

  async function withPlace<T>(
    name: string,
    signal: AbortSignal | undefined,
    use: (place: FolderPlace) => Promise<T>,
  ): Promise<T> {
    let remembered = last;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      checkAborted(signal);
      const skills = remembered ?? (await scan(signal)).skills;
      const place = pick(skills, name)?.place;
      if (!place && !remembered) throw notFound(name, label);
      remembered = undefined;
      const directory = place && (await locateAgain(place.directory));
      if (!place || directory === undefined) continue;
      try {
        return await use({ ...place, directory });
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
    throw new SkillError(
      "BACKEND_FAILED",
      `The skill "${name}" changes all the time. Try again when it is done.`,
    );
  }

  function forget(): void {
    memory.headers.clear();
    memory.skills.clear();
    last = undefined;
  }
}

/** By name first: of two with one name the first path wins. A broken one has only its path. */
export function pick(skills: readonly FoundSkill[], name: string): FoundSkill | undefined {
  return (
    skills.find(({ found }) => isSummary(found) && found.name === name) ??
    skills.find(({ found }) => found.path === name)
  );
}

function notFound(name: string, label: string): SkillError {
  const message = `There is no skill "${name}" in ${label}. List the repository to see what is there.`;
  return new SkillError("SKILL_NOT_FOUND", message);
}

function notFolder(root: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The repository's root ${root} is not a folder. Give the folder of the skills.`,
  );
}

function inOrder(a: FoundSkill, b: FoundSkill): number {
  const [left, right] = [a.found, b.found];
  if (isSummary(left) !== isSummary(right)) return isSummary(left) ? -1 : 1;
  if (isSummary(left) && isSummary(right) && left.name !== right.name) return left.name < right.name ? -1 : 1;
  return left.path < right.path ? -1 : 1;
}
