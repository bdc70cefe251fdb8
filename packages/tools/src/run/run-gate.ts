import {
  type CatalogSkill,
  type Diagnostic,
  type Isolation,
  type SkillCatalog,
  SkillError,
  type ToolContext,
  type WorkspaceRun,
  type WorkspaceRunHandle,
  type WorkspaceRunResult,
  type Workspaces,
} from "@skillwright/core";
import type { ApprovalDesk } from "../permission/ask-approval.js";
import { installing } from "../permission/install-approval.js";
import { isPreApproved } from "../permission/pre-approved.js";
import type { CommandPolicy } from "../policy/command-policy.js";
import { checkPolicyEnvironment } from "../policy/policy-environment.js";
import { skillNeeds } from "../policy/skill-needs.js";
import { isLoaded } from "../skill/loaded-state.js";
import { type ResolvedSkill, resolvedSkill } from "../skill/resolved-skill.js";

export interface MustAskQuestion {
  /** Missing for a command without a skill. */
  readonly skill?: CatalogSkill;
  /** The isolation that the command would have. */
  readonly isolation: Isolation;
}

/** True where the run needs an approval first. Skills of untrusted sources always need one. */
export type MustAsk = (question: MustAskQuestion) => boolean;

interface RunGateParts {
  readonly skills: SkillCatalog;
  readonly workspaces: Workspaces;
  readonly desk: ApprovalDesk;
  readonly policy: CommandPolicy | undefined;
  readonly mustAsk: MustAsk | undefined;
  /** Commands that `allowed-tools` of a trusted skill names skip the question of `mustAsk`. */
  readonly preApproved: boolean;
  /** Refuses a skill that is not loaded in the session. */
  readonly requireLoad: boolean;
  /** The call that loads a skill, named in that refusal. */
  readonly loadCall: string;
  /** @throws SkillError `CONFLICT` for a workspace with an active started run. */
  readonly checkFree?: ((workspaceId: string) => void) | undefined;
}

/** The checks before every command, whichever tool it comes from. */
export interface RunGate {
  /**
   * Returns the skill with that name if its commands may run in this session, resolved with one look at the catalogue:
   * content, trust, needs and digest are consistent.
   * @param loaded Requires that this agent has loaded it, even where the application does not.
   * @throws SkillError `SKILL_NOT_FOUND`; `REFUSED` where it must be loaded first, also where only another
   * agent of the session has loaded it.
   */
  skill(name: string, context: ToolContext, options?: { readonly loaded?: boolean }): Promise<ResolvedSkill>;
  /**
   * Checks policy, approval and needs, then runs the command with the resolved skill. Nothing is staged for a command
   * that may not run.
   * @throws SkillError `REFUSED`; `UNSUPPORTED` naming what the skill needs and the workspace lacks; `DIGEST_MISMATCH`
   * where the skill changed after it was resolved and is not staged; as `Workspaces.run`.
   */
  run(run: WorkspaceRun, skill: ResolvedSkill | undefined, context: ToolContext): Promise<WorkspaceRunResult>;
  /**
   * Like `run`, for an interactive run. @throws SkillError as `run`; `UNSUPPORTED` where interactive runs are not
   * supported.
   */
  start(run: WorkspaceRun, skill: ResolvedSkill, context: ToolContext): Promise<WorkspaceRunHandle>;
}

/** An approval applies to one user and one digest. A refusal is asked again, as is a command without a skill. */
export function runGate(parts: RunGateParts): RunGate {
  const { skills, workspaces, desk, policy, requireLoad, loadCall, mustAsk, preApproved, checkFree } = parts;
  const needs = skillNeeds(workspaces);

  const skill: RunGate["skill"] = async (name, context, { loaded = requireLoad } = {}) => {
    const resolved = await resolvedSkill(skills, name, context);
    if (loaded && !isLoaded(resolved.name, context))
      throw new SkillError("REFUSED", `Load the skill first: call ${loadCall} with "${resolved.name}".`, {
        details: { retry: true },
      });
    return resolved;
  };

  const run: RunGate["run"] = async (wanted, own, context) => {
    const { signal, key, onEvent } = context;
    const { id, bound, diagnostics } = await pass(wanted, own, context);
    const result = await workspaces.run(id, bound, { signal, key, onEvent, ...installing(desk, context) });
    return { ...result, diagnostics: [...diagnostics, ...result.diagnostics] };
  };

  const start: RunGate["start"] = async (wanted, own, context) => {
    const { signal, onEvent } = context;
    if (!workspaces.start) throw cannotStart();
    const { id, bound } = await pass(wanted, own, context);
    return await workspaces.start(id, bound, { signal, onEvent, ...installing(desk, context) });
  };

  return { skill, run, start };

  async function pass(
    wanted: WorkspaceRun,
    own: ResolvedSkill | undefined,
    context: ToolContext,
  ): Promise<{ id: string; bound: WorkspaceRun; diagnostics: readonly Diagnostic[] }> {
    const { session, signal, onEvent } = context;
    if (policy) await checkPolicy(policy, wanted, signal);
    await checkPermission(wanted.command, own, context);
    const resolved = own ? [own] : [];
    for (const name of wanted.inputs ? inputSkills(wanted.inputs) : []) {
      if (resolved.some((one) => one.name === name)) continue;
      const source = await resolvedSkill(skills, name, context);
      // A file of an untrusted skill may be a script that the command then runs.
      if (!source.trusted) await checkPermission(wanted.command, source, context);
      resolved.push(source);
    }
    const { id } = await workspaces.forSession(session, { signal, onEvent });
    checkFree?.(id);
    const bound = { ...wanted, resolved, artifacts: session };
    return { id, bound, diagnostics: own ? await needs.check(id, own, bound, { signal }) : [] };
  }

  async function checkPolicy(
    policy: CommandPolicy,
    { command, skill, cwd, env }: WorkspaceRun,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const question = { command, cwd: cwd?.trim() ?? "", ...(skill === undefined ? {} : { skill }) };
    const verdict = await policy(question, { signal });
    if (!verdict.allowed)
      throw new SkillError("REFUSED", `The command is not allowed: ${verdict.reason} ${verdict.hint}`, {
        details: { retry: true },
      });
    checkPolicyEnvironment(env);
  }

  async function checkPermission(
    command: string,
    asked: ResolvedSkill | undefined,
    context: ToolContext,
  ): Promise<void> {
    const reason = await reasonToAsk(command, asked, context);
    if (reason === undefined) return;
    if (!asked) return await desk.ask({ action: "run", subject: command, reason }, context);
    const { name, source, digest, manifest } = asked;
    const files = Object.fromEntries(manifest.files.map(({ path, sha256 }) => [path, sha256]));
    const question = { action: "run", skill: name, digest, source, subject: command, reason, files } as const;
    await desk.askOnce(question, context);
  }

  async function reasonToAsk(
    command: string,
    asked: ResolvedSkill | undefined,
    { signal }: ToolContext,
  ): Promise<string | undefined> {
    if (asked && !asked.trusted)
      return `The skill "${asked.name}" comes from "${asked.source}", which is not trusted, and was not approved yet.`;
    if (!mustAsk || (preApproved && asked && (await isPreApproved(command, asked)))) return undefined;
    const { isolation } = await workspaces.capabilities({ signal });
    if (!mustAsk({ ...(asked ? { skill: asked } : {}), isolation })) return undefined;
    return isolation.level === "none"
      ? `This command is not isolated from the rest of the machine (${isolation.by}).`
      : "This application asks before it runs this command.";
  }
}

/** The skills from which the run takes files. */
function inputSkills(inputs: NonNullable<WorkspaceRun["inputs"]>): readonly string[] {
  return inputs.flatMap(({ from }) => /^\s*skill:\/\/([^/]+)\//i.exec(from)?.[1] ?? []);
}

function cannotStart(): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    "Interactive runs are not available here. Use skill_run and give the input as stdin.",
  );
}
