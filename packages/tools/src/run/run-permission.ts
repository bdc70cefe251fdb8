import type { CatalogSkill, Isolation, SkillCatalog, ToolContext, Workspaces } from "@skillwright/core";
import type { ApprovalDesk } from "../permission/ask-approval.js";
import { isPreApproved } from "../permission/pre-approved.js";

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
  readonly desk: ApprovalDesk;
  readonly mustAsk: MustAsk | undefined;
  /** The commands that a trusted skill's `allowed-tools` name are not asked about because of `mustAsk`. */
  readonly preApproved: boolean;
}

/** A yes holds for that user and that digest; a no is asked again, as is a command without a skill. */
export function runPermission({
  skills,
  workspaces,
  desk,
  mustAsk,
  preApproved,
}: PermissionParts): RunPermission {
  async function check(
    command: string,
    skill: CatalogSkill | undefined,
    context: ToolContext,
  ): Promise<string | undefined> {
    if (!skill) {
      const reason = await reasonToAsk(command, undefined, context);
      if (reason !== undefined) await desk.ask({ action: "run", subject: command, reason }, context);
      return undefined;
    }
    // Trust and digest of one look: between two, the name may pass from a trusted source to another.
    const loaded = await skills.load(skill.name, { signal: context.signal });
    const reason = await reasonToAsk(command, loaded, context);
    const { name, source, digest } = loaded;
    if (reason !== undefined)
      await desk.askOnce({ action: "run", skill: name, digest, source, subject: command, reason }, context);
    return digest;
  }

  async function reasonToAsk(
    command: string,
    skill: CatalogSkill | undefined,
    { signal }: ToolContext,
  ): Promise<string | undefined> {
    if (skill && !skill.trusted)
      return `The skill "${skill.name}" comes from "${skill.source}", which is not trusted, and was not approved yet.`;
    if (!mustAsk || (preApproved && skill && isPreApproved(command, skill))) return undefined;
    const { isolation } = await workspaces.capabilities({ signal });
    if (!mustAsk({ ...(skill ? { skill } : {}), isolation })) return undefined;
    return isolation.level === "none"
      ? `Nothing keeps this command apart from the rest of the machine (${isolation.by}).`
      : "This application asks before it runs this.";
  }

  return { check };
}
