import type { Diagnostic, Skill } from "@skillwright/core";
import {
  repositoryDiagnostic,
  type SharedWork,
  type SkillRules,
  sharedWork,
  skillFolders,
} from "@skillwright/core/adapter";
import type { GitProgram } from "./process/git-program.js";
import type { HashMemory } from "./skills/load-skill.js";
import { type GitSkill, type HeaderMemory, readSummaries } from "./skills/read-summaries.js";
import { treeEntries } from "./skills/tree-entries.js";
import type { Snapshot } from "./snapshots/take-snapshot.js";

/** The skills of one commit, read on first use. A commit never changes, so nothing is read twice. */
export interface GitIndex {
  readonly snapshot: Snapshot | undefined;
  readonly scan: SharedWork<GitScan>;
  /** Loaded skills by path. */
  readonly loaded: Map<string, Skill>;
}

interface GitScan {
  /** Usable skills by name, then path; then the broken ones by path. */
  readonly skills: readonly GitSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Caches that apply to every commit. */
interface GitMemory {
  readonly headers: HeaderMemory;
  readonly hashes: HashMemory;
}

export interface GitIndexOptions {
  readonly path: string | undefined;
  readonly name: string;
  readonly depth: number;
  readonly entries: number;
  readonly rules: SkillRules;
  readonly memory: GitMemory;
}

export function gitIndex(
  git: GitProgram,
  snapshot: Snapshot | undefined,
  options: GitIndexOptions,
): GitIndex {
  const { path, name, depth, entries: limit, rules, memory } = options;
  let done: GitScan | undefined;
  const scan = sharedWork(async (signal) => (done ??= await read(signal)));
  return { snapshot, scan, loaded: new Map() };

  async function read(signal: AbortSignal): Promise<GitScan> {
    if (!snapshot) return { skills: [], diagnostics: [repositoryDiagnostic("repository.empty", ".")] };
    const entries = await treeEntries(git, snapshot, { path, limit, signal });
    if (!entries)
      return { skills: [], diagnostics: [repositoryDiagnostic("repository.missing", path ?? ".")] };
    const { folders, diagnostics } = skillFolders(entries.slice(0, limit), { depth, name, rules });
    const cut = entries.length > limit ? [repositoryDiagnostic("scan.entries", ".")] : [];
    const skills = await readSummaries(git, snapshot.gitDirectory, {
      folders,
      memory: memory.headers,
      signal,
    });
    return { skills, diagnostics: [...cut, ...diagnostics] };
  }
}
