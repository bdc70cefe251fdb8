import {
  type Approval,
  type ApprovalDecision,
  type ApprovalRequest,
  type CatalogSkill,
  type Isolation,
  type SkillCatalog,
  SkillError,
  type ToolContext,
  untilAborted,
  type Workspaces,
} from "@skillwright/core";

export interface MustAskQuestion {
  /** Missing for a command that belongs to no skill. */
  readonly skill?: CatalogSkill;
  /** What would isolate the command from the machine. */
  readonly isolation: Isolation;
}

/** True where somebody has to allow the run first. Skills of untrusted sources always ask, whatever it says. */
export type MustAsk = (question: MustAskQuestion) => boolean;

export interface RunPermission {
  /**
   * Returns when the command may run, with the only digest of the skill that it may run with; `undefined` without a skill.
   * @throws SkillError `REFUSED` with the reason, `ABORTED`; as `SkillCatalog.load`.
   */
  check(command: string, skill: CatalogSkill | undefined, context: ToolContext): Promise<string | undefined>;
}

interface PermissionParts {
  readonly skills: SkillCatalog;
  readonly workspaces: Workspaces;
  readonly approval: Approval | undefined;
  readonly mustAsk: MustAsk | undefined;
}

/** A yes holds for that user and that digest as long as the tools live; a no is asked again, as is a command without a skill. */
export function runPermission({ skills, workspaces, approval, mustAsk }: PermissionParts): RunPermission {
  const allowed = new Map<string, Promise<void>>();

  async function check(
    command: string,
    skill: CatalogSkill | undefined,
    context: ToolContext,
  ): Promise<string | undefined> {
    if (!skill) {
      const reason = await reasonToAsk(undefined, context);
      if (reason !== undefined) await ask({ action: "run", subject: command, reason }, context);
      return undefined;
    }
    // Trust and digest of one look: between two, the name may pass from a trusted source to another.
    const loaded = await skills.load(skill.name, { signal: context.signal });
    const reason = await reasonToAsk(loaded, context);
    const { name, source, digest } = loaded;
    if (reason !== undefined)
      await askOnce({ action: "run", skill: name, digest, source, subject: command, reason }, context);
    return digest;
  }

  async function reasonToAsk(
    skill: CatalogSkill | undefined,
    { signal }: ToolContext,
  ): Promise<string | undefined> {
    if (skill && !skill.trusted)
      return `The skill "${skill.name}" comes from "${skill.source}", which is not trusted, and was not approved yet.`;
    if (!mustAsk) return undefined;
    const { isolation } = await workspaces.capabilities({ signal });
    if (!mustAsk({ ...(skill ? { skill } : {}), isolation })) return undefined;
    return isolation.level === "none"
      ? `Nothing keeps this command apart from the rest of the machine (${isolation.by}).`
      : "This application asks before it runs this.";
  }

  /** Calls that wait for the same answer share it; when the one that asked leaves, the next asks anew. */
  async function askOnce(request: ApprovalRequest & { digest: string }, context: ToolContext): Promise<void> {
    const { app, user } = context.session;
    const key = JSON.stringify([app, user, request.digest]);
    for (let known = allowed.get(key); known; known = allowed.get(key))
      try {
        return await untilAborted(known, context.signal);
      } catch (error) {
        if (context.signal?.aborted || !SkillError.is(error, "ABORTED")) throw error;
      }
    const asked = ask(request, context);
    allowed.set(key, asked);
    asked.catch(() => allowed.delete(key));
    await asked;
  }

  async function ask(request: ApprovalRequest, { signal }: ToolContext): Promise<void> {
    if (!approval) throw refused(`${request.reason} Nobody can be asked here, so it does not run.`);
    let decision: ApprovalDecision;
    try {
      decision = await untilAborted(approval(request, { signal }), signal);
    } catch (cause) {
      if (signal?.aborted) throw new SkillError("ABORTED", "The question was withdrawn.", { cause });
      decision = { allowed: false, reason: "The question could not be answered." };
    }
    if (decision?.allowed !== true)
      throw refused(`${request.reason} Running it was not allowed. ${decision?.reason ?? ""}`.trim());
  }

  return { check };
}

function refused(message: string): SkillError {
  return new SkillError("REFUSED", `${message} Do not try again unless the user says so.`);
}
