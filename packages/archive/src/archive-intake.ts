import type { Diagnostic } from "@skillwright/core";
import { type ArchiveEntry, type UploadLimits, uploadRules } from "@skillwright/core/adapter";
import { archivedSkillFolder } from "./archived-skill-folder.js";
import { archiveRules } from "./rules/archive-rules.js";

const MAX_LEFT_OUT_TOLD = 20;

/** An accepted file and its entry. */
export interface TakenFile<Entry extends ArchiveEntry> {
  /** Path relative to the skill. */
  readonly path: string;
  readonly executable: boolean;
  readonly entry: Entry;
}

export interface TakenSkill<Entry extends ArchiveEntry> {
  readonly directoryName: string | undefined;
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

export function archiveIntake<Entry extends ArchiveEntry>(
  limits: UploadLimits,
  leaveOut: Iterable<string> = [],
): ArchiveIntake<Entry> {
  const rules = archiveRules(limits, leaveOut);
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
    const directoryName = archivedSkillFolder(taken.map(({ path }) => path));
    const start = directoryName === undefined ? 0 : directoryName.length + 1;
    const files = taken.map((file) => ({ ...file, path: file.path.slice(start) }));
    // Only now is it known which file is SKILL.md, which has its own limit.
    const relative = uploadRules(limits);
    for (const { path, entry } of files) relative.count(path, entry.size);
    return { directoryName, files, diagnostics: shortened(diagnostics) };
  }

  return { take, finish };
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
