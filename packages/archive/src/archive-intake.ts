import type { Diagnostic } from "@skillwright/core";
import { type ArchiveEntry, type UploadLimits, uploadRules } from "@skillwright/core/adapter";
import { archivedSkillFolder } from "./archived-skill-folder.js";
import { archivedTree } from "./archived-tree.js";
import { archiveRules } from "./rules/archive-rules.js";
import type { ArchiveLimits } from "./skill-archive.js";

const MAX_LEFT_OUT_TOLD = 20;

/** An accepted file and its entry. */
export interface TakenFile<Entry extends ArchiveEntry> {
  /** Path relative to the skill, or to the tree of skills. */
  readonly path: string;
  readonly executable: boolean;
  readonly entry: Entry;
}

export interface TakenSkill<Entry extends ArchiveEntry> {
  readonly directoryName: string | undefined;
  /** True where the files are a tree of skills, with paths relative to the tree. */
  readonly isTree: boolean;
  /** Files in archive order. */
  readonly files: readonly TakenFile<Entry>[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Applies the archive rules to everything read from or written to archives. One refused entry refuses the whole archive. */
export interface ArchiveIntake<Entry extends ArchiveEntry> {
  /** @returns True where the entry is a file of the skill. @throws SkillError for the broken rule. */
  take(entry: Entry): boolean;
  /** @throws SkillError where the entries, each allowed, do not form a skill. */
  finish(): TakenSkill<Entry>;
}

/** @param treeLimits Present where a tree of skills is accepted, too. */
export function archiveIntake<Entry extends ArchiveEntry>(
  limits: UploadLimits,
  leaveOut: Iterable<string> = [],
  treeLimits?: UploadLimits,
): ArchiveIntake<Entry> {
  const rules = archiveRules(treeLimits ?? limits, leaveOut);
  const taken: TakenFile<Entry>[] = [];
  const diagnostics: Diagnostic[] = [];

  function take(entry: Entry): boolean {
    const judged = rules.judge(entry);
    if (judged.verdict === "refuse") throw judged.error;
    diagnostics.push(...judged.diagnostics);
    if (judged.verdict === "leave") return false;
    const { path, executable } = judged;
    taken.push({ path, executable, entry });
    return true;
  }

  function finish(): TakenSkill<Entry> {
    const paths = taken.map(({ path }) => path);
    const tree = treeLimits && archivedTree(paths);
    const directoryName = tree ? tree.directoryName : archivedSkillFolder(paths);
    const start = directoryName === undefined ? 0 : directoryName.length + 1;
    const files = taken.map((file) => ({ ...file, path: file.path.slice(start) }));
    // Only now is it known which file is SKILL.md, which has its own limit, and whether it is one skill.
    const relative = uploadRules(tree ? treeLimits : limits);
    for (const { path, entry } of files) {
      relative.admit(path);
      relative.count(path, entry.size);
    }
    return { directoryName, isTree: tree !== undefined, files, diagnostics: shortened(diagnostics) };
  }

  return { take, finish };
}

/** The limits of a whole tree, in the form of those of one skill. */
export function treeLimits({ treeFiles, treeBytes, skillFileBytes }: ArchiveLimits): UploadLimits {
  return { files: treeFiles, bytes: treeBytes, skillFileBytes };
}

function shortened(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const leftOut = diagnostics.filter(({ code }) => code === "archive.left-out");
  const more = leftOut.length - MAX_LEFT_OUT_TOLD;
  if (more <= 0) return [...diagnostics];
  const told = new Set(leftOut.slice(0, MAX_LEFT_OUT_TOLD));
  const message = `${more} more files that are not part of a skill are left out.`;
  return [
    ...diagnostics.filter((diagnostic) => diagnostic.code !== "archive.left-out" || told.has(diagnostic)),
    { code: "archive.left-out", severity: "info", message, hint: "Leave them out when packing." },
  ];
}
