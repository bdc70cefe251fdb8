import type { Approval, SkillCatalog, SkillTool, TrustStore, Workspaces } from "@skillwright/core";
import type { StoredApprovals } from "./approvals/approval-question.js";
import type { InteractiveOptions } from "./interactive/started-runs.js";
import type { SkillManageOptions } from "./manage/manage-options.js";
import type { MustAskToWrite } from "./permission/write-permission.js";
import type { CommandPolicy } from "./policy/command-policy.js";
import type { MustAsk } from "./run/run-gate.js";
import type { SkillToolsPreset } from "./skill/knowledge-tools.js";

export interface SkillToolsOptions {
  readonly skills: SkillCatalog;
  /** Where commands run. Without it, skills are knowledge only, and no tool runs commands or accesses files. */
  readonly workspaces?: Workspaces | undefined;
  /** False omits all skill tools, so that only the workspace tools remain. Defaults to true. */
  readonly enabled?: boolean | undefined;
  /** How the model gets a skill's instructions and files. Defaults to `load`. */
  readonly preset?: SkillToolsPreset | undefined;
  /** Adds `skill_search`, for catalogues whose overview does not show all skills. Defaults to false. */
  readonly search?: boolean | undefined;
  /** Adds `skill_manage`; `true` uses its defaults. The catalogue must be writable. Defaults to false. */
  readonly manage?: boolean | SkillManageOptions | undefined;
  /** Adds `skill_call` for skills that declare parameters; requires `workspaces`. Defaults to false. */
  readonly calls?: boolean | undefined;
  /**
   * Tools of the application that a skill unlocks, by the skill's name: `SkillToolset.unlockedTools` returns them while
   * the skill is loaded. A skill of an untrusted source unlocks none. Defaults to none.
   */
  readonly boundTools?: Readonly<Record<string, readonly SkillTool[]>> | undefined;
  /**
   * Asked before a skill of an untrusted source runs, before a skill is changed, and where `mustAsk` or
   * `mustAskToWrite` require it. Without it and without `approvals`, all of that is refused.
   */
  readonly approval?: Approval | undefined;
  /**
   * Stores the questions instead of asking `approval`: a call that needs an approval changes nothing and is refused with
   * the id of its question (see `waitingApproval`). Once the question is answered, in whatever process, the same call
   * with the same id gets the answer. Defaults to none.
   */
  readonly approvals?: StoredApprovals | undefined;
  /** Where approvals are stored beyond the lifetime of the tools, per user. Checked before a person is asked. */
  readonly trust?: TrustStore | undefined;
  /** Approvals in `trust` apply to every user. Defaults to false. */
  readonly sharedTrust?: boolean | undefined;
  /** Runs that need approval in addition to those of untrusted skills, such as all runs where there is no sandbox. */
  readonly mustAsk?: MustAsk | undefined;
  /** Files of the workspace that need approval before they are written. Defaults to none. */
  readonly mustAskToWrite?: MustAskToWrite | undefined;
  /**
   * Commands that `allowed-tools` of a trusted skill names, such as `Bash(git log:*)`, skip the question of `mustAsk`.
   * Skills of untrusted sources still ask. Defaults to false.
   */
  readonly preApproved?: boolean | undefined;
  /**
   * Decides on each command before anything is staged for it, such as `commandPolicy({ allowed })`. With a policy,
   * calls cannot set variables like `PATH`. Its `summary` is included in the descriptions of the tools that run
   * commands.
   */
  readonly policy?: CommandPolicy | undefined;
  /** `skill_run` refuses a skill that this agent has not loaded in the session. Defaults to false. */
  readonly requireLoad?: boolean | undefined;
  /**
   * Saves outputs as artifacts without a request; where that is impossible, a warning says so. Defaults to
   * false.
   */
  readonly saveOutputs?: boolean | undefined;
  /** Maximum characters of one result, as JSON. Defaults to 65,536. The rest is cut, with a note on how to read it. */
  readonly maxResultCharacters?: number | undefined;
  /** Adds the tools for interactive runs; `true` uses their default limits. Defaults to false. */
  readonly interactive?: boolean | InteractiveOptions | undefined;
}
