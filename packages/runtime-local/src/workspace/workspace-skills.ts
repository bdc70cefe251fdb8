import type { CallOptions } from "@skillwright/core";
import type { StagedSkill } from "@skillwright/core/adapter";
import type { Sandbox } from "../isolation/sandbox.js";
import type { SkillCopies } from "../isolation/skill-copies.js";
import { placeSkill, removeSkill, type SkillsPlace } from "../staging/skill-directories.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import { type LocalWorkspaceRecord, type StagedRecord, writeRecord } from "../storage/workspace-record.js";
import { checkSkillDirectoryName, stagedSkill } from "./place-in.js";
import type { RecordTurns } from "./record-turns.js";

export interface WorkspaceSkills {
  stage(skill: StagedSkill, options: CallOptions): Promise<void>;
  unstage(name: string): Promise<void>;
  /**
   * Unstages copies that commands may have changed, where commands may not write to skills. Returns the record without
   * them.
   */
  withoutWritable(record: LocalWorkspaceRecord): Promise<LocalWorkspaceRecord>;
  staged(record: LocalWorkspaceRecord): ReadonlyMap<string, string>;
}

/** The staged skills of one workspace; changes within one process are serialized. */
export function workspaceSkills(
  paths: WorkspacePaths,
  { sandbox, skillCopies }: { sandbox: Sandbox | undefined; skillCopies: SkillCopies },
  inTurn: RecordTurns,
  record: () => LocalWorkspaceRecord,
): WorkspaceSkills {
  const place: SkillsPlace = {
    skills: paths.skills,
    incoming: paths.incoming,
    bind: sandbox !== undefined,
    credentials: sandbox?.credentials,
    copies: skillCopies === "workspace" ? { owner: sandbox?.credentials } : undefined,
  };

  /**
   * A skill staged by a sandboxed process is stored elsewhere, where commands without a sandbox do not see it. A
   * writable copy does not count where commands may not write to it, and vice versa.
   */
  function isVisible(staged: StagedRecord | undefined): staged is StagedRecord {
    if ((staged?.writable === true) !== (place.copies !== undefined)) return false;
    return staged !== undefined && (sandbox !== undefined || staged.directory === undefined);
  }

  async function stage(skill: StagedSkill, options: CallOptions): Promise<void> {
    const { name, digest } = skill;
    checkSkillDirectoryName(name);
    const before = stagedSkill(record(), name);
    if (isVisible(before) && before.digest === digest) return;
    // If the process dies in between, the record must not describe something else than what is there.
    const beforeSwap = () => (before ? remember(name, undefined) : undefined);
    remember(name, await placeSkill(skill, place, { ...options, beforeSwap }));
  }

  async function unstage(name: string): Promise<void> {
    checkSkillDirectoryName(name);
    if (!stagedSkill(record(), name)) return;
    remember(name, undefined);
    await removeSkill(name, place);
  }

  async function unstageWritable(): Promise<void> {
    for (const name of writable(record())) await unstage(name);
  }

  function writable({ staged }: LocalWorkspaceRecord): readonly string[] {
    if (place.copies) return [];
    return Object.keys(staged).filter((name) => staged[name]?.writable);
  }

  function remember(name: string, staged: StagedRecord | undefined): void {
    const current = record();
    const others = Object.entries(current.staged).filter(([other]) => other !== name);
    const all = Object.fromEntries(staged ? [...others, [name, staged]] : others);
    writeRecord(paths.directory, { ...current, staged: all });
  }

  return {
    stage: (skill, options) => inTurn(() => stage(skill, options)),
    unstage: (name) => inTurn(() => unstage(name)),
    withoutWritable: async (current) => {
      if (writable(current).length === 0) return current;
      await inTurn(unstageWritable);
      return record();
    },
    staged: (current) =>
      new Map(
        Object.entries(current.staged).flatMap(([name, staged]) =>
          isVisible(staged) ? [[name, staged.digest] as const] : [],
        ),
      ),
  };
}
