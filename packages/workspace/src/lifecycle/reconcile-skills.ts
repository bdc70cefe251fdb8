import {
  type CatalogSnapshot,
  type ContentStore,
  type Diagnostic,
  type RunEvent,
  type SkillCatalog,
  SkillError,
} from "@skillwright/core";
import { stageSkill } from "../stage/stage-skill.js";
import type { OpenWorkspace } from "./open-workspaces.js";

export interface ReconcileCall {
  readonly skills: SkillCatalog;
  readonly content: ContentStore | undefined;
  readonly emit: (event: RunEvent) => void;
  readonly tell: (diagnostic: Diagnostic) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Brings skills that were staged by earlier runs up to date: what changed is staged anew, what the catalogue does not have
 * any more is taken away (AS-30, CONC-06). Where a repository could not be listed, or the whole catalogue fails, nothing
 * is known to be gone, so all is kept and a diagnostic says so (AS-31). What is broken at its source is kept as it was, which
 * is told once. What changed in an untrusted source is kept as it was approved, and every run says so until its new files are
 * staged by a run that asks for the skill by name. To be called in a run's turn.
 * @param ownSkill The run's, which it stages itself.
 * @returns What is staged now, by name, as digests.
 */
export async function reconcileSkills(
  workspace: OpenWorkspace,
  ownSkill: string | undefined,
  call: ReconcileCall,
): Promise<ReadonlyMap<string, string>> {
  const { runtime, leases } = workspace;
  const { tell, signal } = call;
  const staged = await runtime.staged({ signal });
  const others = [...staged.keys()].filter((name) => name !== ownSkill);
  if (others.length === 0) return staged;
  const snapshot = await snapshotOf(call);
  if (!snapshot) return staged;
  const stale = staleSources(snapshot);
  if (stale.size === 0 && snapshot.fingerprint === workspace.reconciled) return staged;
  const there = new Map(snapshot.skills.map(({ name, source }) => [name, source]));
  let isUpToDate = true;
  const failed = snapshot.diagnostics.some(({ code }) => code === "repository.failed");
  for (const name of others) {
    const source = there.get(name);
    if (source !== undefined && stale.has(source))
      tell(kept(name, `its source "${source}" cannot be reached`));
    else if (source !== undefined) await restage(name);
    else if (failed) tell(kept(name, "a repository could not be listed"));
    else if (isBroken(snapshot, name)) tell(broken(name));
    else await takeAway(name);
  }
  if (!failed && isUpToDate && stale.size === 0) workspace.reconciled = snapshot.fingerprint;
  return await runtime.staged({ signal });

  /** The run does not need it, so what is wrong with it is told and does not end the run. */
  async function restage(name: string): Promise<void> {
    try {
      await stageSkill(name, { ...call, unasked: true, workspace: runtime, leases });
    } catch (error) {
      if (signal?.aborted || SkillError.is(error, "WORKSPACE_NOT_FOUND")) throw error;
      if (SkillError.is(error, "SKILL_NOT_FOUND")) return await takeAway(name);
      if (SkillError.is(error, "REFUSED")) {
        isUpToDate = false;
        return tell(notApproved(name, error.message));
      }
      tell(kept(name, SkillError.from(error, "Staging it").message));
    }
  }

  async function takeAway(name: string): Promise<void> {
    await runtime.unstage(name, { signal });
    const lease = leases.get(name);
    leases.delete(name);
    if (lease && ![...leases.values()].some(({ digest }) => digest === lease.digest)) await lease.release();
    tell(unstaged(name));
  }
}

/** Listed as they were last seen, so that nothing is known of a change. */
function staleSources({ sources = [] }: CatalogSnapshot): ReadonlySet<string> {
  return new Set(sources.filter(({ state }) => state === "stale").map(({ source }) => source));
}

/** One that is broken has no name but that of its folder. */
function isBroken(snapshot: CatalogSnapshot, name: string): boolean {
  return snapshot.broken.some(({ path }) => path === name || path.split("/").at(-1) === name);
}

async function snapshotOf({ skills, tell, signal }: ReconcileCall): Promise<CatalogSnapshot | undefined> {
  try {
    return await skills.snapshot({ signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    tell(kept(undefined, SkillError.from(error, "Listing the skills").message));
    return undefined;
  }
}

function notApproved(skill: string, why: string): Diagnostic {
  return {
    code: "skill.not-approved",
    severity: "warning",
    message: `${why} It is still there as it was approved.`,
    hint: `Run a command of "${skill}" itself to have its new files approved.`,
  };
}

function unstaged(skill: string): Diagnostic {
  return {
    code: "skill.unstaged",
    severity: "info",
    message: `The skill "${skill}" is not in the catalogue any more, so it was taken out of the workspace.`,
    hint: "Do not use its files. Search the catalogue for another skill.",
  };
}

function broken(skill: string): Diagnostic {
  return {
    code: "skill.kept",
    severity: "warning",
    message: `The skill "${skill}" is still there as staged before: what its source has of it now is no valid skill.`,
    hint: `The staged files can be used. \`skillwright validate\` tells what is wrong with the new ones.`,
  };
}

function kept(skill: string | undefined, why: string): Diagnostic {
  const what = skill === undefined ? "The skills staged before are" : `The skill "${skill}" is`;
  return {
    code: "skill.kept",
    severity: "warning",
    message: `${what} still there as staged before, and may be out of date: ${why}.`,
    hint: "Run again when the repository can be reached.",
  };
}
