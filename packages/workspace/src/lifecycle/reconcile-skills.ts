import {
  type ContentStore,
  type Diagnostic,
  type RunEvent,
  type SkillCatalog,
  SkillError,
} from "@skillwright/core";
import { isEnvironmentDirectory } from "../environment/environment-need.js";
import { stageSkill } from "../stage/stage-skill.js";
import type { OpenWorkspace } from "./open-workspace.js";

export interface ReconcileCall {
  readonly skills: SkillCatalog;
  readonly content: ContentStore | undefined;
  readonly emit: (event: RunEvent) => void;
  readonly tell: (diagnostic: Diagnostic) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Updates skills staged by earlier runs, each with its own load: a changed skill is staged again, one that the
 * catalogue no longer offers is removed. A skill that cannot be loaded is kept, with a diagnostic. A skill broken at its
 * source is kept, reported once. A changed skill of an untrusted source is kept as
 * approved; every run reports this until a run that names the skill stages the new files. Call it in a run's turn.
 * @param ownSkill The run's own skill, which the run stages itself.
 * @returns Digests of the staged skills, by name.
 */
export async function reconcileSkills(
  workspace: OpenWorkspace,
  ownSkill: string | undefined,
  call: ReconcileCall,
): Promise<ReadonlyMap<string, string>> {
  const { runtime, leases, toldBroken } = workspace;
  const { skills, tell, signal } = call;
  const staged = await runtime.staged({ signal });
  const others = [...staged].filter(([name]) => name !== ownSkill && !isEnvironmentDirectory(name));
  let isSame = true;
  for (const [name, digest] of others) await bringUpToDate(name, digest);
  return isSame ? staged : await runtime.staged({ signal });

  /** The run does not need this skill, so its errors are reported and do not end the run. */
  async function bringUpToDate(name: string, digest: string): Promise<void> {
    try {
      const skill = await skills.load(name, { signal });
      if (skill.diagnostics.some(({ code }) => code === "skill.stale")) return tellBroken(name);
      toldBroken.delete(name);
      if (skill.diagnostics.some(({ code }) => code === "repository.stale"))
        return tell(kept(name, `its source "${skill.source}" cannot be reached`));
      if (skill.digest === digest) return;
      isSame = false;
      await stageSkill(name, { ...call, unasked: true, workspace: runtime, leases });
    } catch (error) {
      if (signal?.aborted || SkillError.is(error, "WORKSPACE_NOT_FOUND")) throw error;
      if (SkillError.is(error, "SKILL_NOT_FOUND") || SkillError.is(error, "UNSUPPORTED"))
        return await takeAway(name);
      if (SkillError.is(error, "SKILL_INVALID")) return tellBroken(name);
      if (SkillError.is(error, "REFUSED")) return tell(notApproved(name, error.message));
      tell(kept(name, SkillError.from(error, "Staging it").message));
    }
  }

  function tellBroken(name: string): void {
    if (!toldBroken.has(name)) tell(broken(name));
    toldBroken.add(name);
  }

  async function takeAway(name: string): Promise<void> {
    isSame = false;
    toldBroken.delete(name);
    await runtime.unstage(name, { signal });
    const lease = leases.get(name);
    leases.delete(name);
    if (lease && ![...leases.values()].some(({ digest }) => digest === lease.digest)) await lease.release();
    tell(unstaged(name));
  }
}

function notApproved(skill: string, why: string): Diagnostic {
  return {
    code: "skill.not-approved",
    severity: "warning",
    message: `${why} It is still there as it was approved.`,
    hint: `Run a command of "${skill}" itself to get its new files approved.`,
  };
}

function unstaged(skill: string): Diagnostic {
  return {
    code: "skill.unstaged",
    severity: "info",
    message: `The skill "${skill}" is no longer in the catalogue, so it was removed from the workspace.`,
    hint: "Do not use its files. Search the catalogue for another skill.",
  };
}

function broken(skill: string): Diagnostic {
  return {
    code: "skill.kept",
    severity: "warning",
    message: `The previously staged version of the skill "${skill}" is still in use, because its source now has an invalid one.`,
    hint: `The staged files can be used. \`skillwright validate\` shows what is wrong with the new ones.`,
  };
}

function kept(skill: string, why: string): Diagnostic {
  return {
    code: "skill.kept",
    severity: "warning",
    message: `The previously staged version of the skill "${skill}" is still in use and may be out of date: ${why}.`,
    hint: "Run again when the repository can be reached.",
  };
}
