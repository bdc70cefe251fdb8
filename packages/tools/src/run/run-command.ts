import {
  type CatalogSkill,
  type CommandPolicy,
  type SkillCatalog,
  SkillError,
  type ToolContext,
  type WorkspaceRun,
  type WorkspaceRunResult,
  type Workspaces,
} from "@skillwright/core";
import { visibleSkill } from "../skill/visible-skill.js";
import type { RunPermission } from "./run-permission.js";

export interface RunParts {
  readonly skills: SkillCatalog;
  readonly workspaces: Workspaces;
  readonly permission: RunPermission;
  readonly policy: CommandPolicy | undefined;
  /** Save what runs leave in `out/`, and whatever else is collected, without being asked (TR-95). */
  readonly saveOutputs?: boolean | undefined;
}

/**
 * Policy, approval, then the session's workspace and the run: nothing is staged for a command that may not run.
 * @throws SkillError `REFUSED`; `DIGEST_MISMATCH` where the skill changed after it was checked; as `Workspaces.run`.
 */
export async function runCommand(
  run: WorkspaceRun,
  skill: CatalogSkill | undefined,
  context: ToolContext,
  { skills, workspaces, permission, policy }: RunParts,
): Promise<WorkspaceRunResult> {
  const { session, signal, onEvent } = context;
  if (policy) await checkPolicy(policy, run, signal);
  const skillDigest = await permission.check(run.command, skill, context);
  const inputDigests = new Map<string, string>();
  for (const name of inputSkills(run)) {
    await visibleSkill(skills, name, context);
    const source = await skills.load(name, { signal });
    // A file of an untrusted skill may be a script that the command then runs.
    const digest = source.trusted ? source.digest : await permission.check(run.command, source, context);
    if (digest !== undefined) inputDigests.set(name, digest);
  }
  const { id } = await workspaces.forSession(session, { signal, onEvent });
  const digests = {
    ...(skillDigest === undefined ? {} : { skillDigest }),
    ...(inputDigests.size === 0 ? {} : { inputDigests }),
  };
  return await workspaces.run(id, { ...run, ...digests, artifacts: session }, { signal, onEvent });
}

/** The skills that the run takes files from. */
function inputSkills({ inputs = [] }: WorkspaceRun): readonly string[] {
  return inputs.flatMap(({ from }) => /^\s*skill:\/\/([^/]+)\//i.exec(from)?.[1] ?? []);
}

async function checkPolicy(
  policy: CommandPolicy,
  { command, skill, cwd }: WorkspaceRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  const question = { command, cwd: cwd?.trim() ?? "", ...(skill === undefined ? {} : { skill }) };
  const verdict = await policy(question, { signal });
  if (!verdict.allowed)
    throw new SkillError("REFUSED", `The command is not allowed: ${verdict.reason} ${verdict.hint}`, {
      details: { retry: true },
    });
}
