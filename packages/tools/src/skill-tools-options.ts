import type { Approval, CommandPolicy, SkillCatalog, TrustStore, Workspaces } from "@skillwright/core";
import type { InteractiveOptions } from "./interactive/started-runs.js";
import type { SkillManageOptions } from "./manage/manage-options.js";
import type { MustAskToWrite } from "./permission/write-permission.js";
import type { MustAsk } from "./run/run-gate.js";
import type { SkillToolsPreset } from "./skill/knowledge-tools.js";

export interface SkillToolsOptions {
  readonly skills: SkillCatalog;
  /** Where commands run. Without it the skills are knowledge only and no tool runs, reads or writes files (TR-03). */
  readonly workspaces?: Workspaces | undefined;
  /** False leaves out every tool of skills, so that only those of the workspace are there (PB-16). True by default. */
  readonly enabled?: boolean | undefined;
  /** How the model gets at a skill's instructions and files; `load` by default. */
  readonly preset?: SkillToolsPreset | undefined;
  /** Adds `skill_search`, for catalogues whose overview does not show all skills. Off by default. */
  readonly search?: boolean | undefined;
  /** Adds `skill_manage`: `true` for its defaults. The catalogue has to be a writable one. Off by default. */
  readonly manage?: boolean | SkillManageOptions | undefined;
  /** Adds `skill_call` for skills that declare parameters; needs `workspaces`. Off by default. */
  readonly calls?: boolean | undefined;
  /**
   * Asked before a skill of an untrusted source runs, before a skill is changed, and where `mustAsk` or `mustAskToWrite`
   * say so. Without it all of that is refused.
   */
  readonly approval?: Approval | undefined;
  /** Where approvals are remembered beyond the life of the tools, for each user; asked before anybody is. */
  readonly trust?: TrustStore | undefined;
  /** What `trust` holds counts for every user: one user's yes is everybody's. False by default. */
  readonly sharedTrust?: boolean | undefined;
  /** Runs that ask beside those of untrusted skills, such as everything where there is no sandbox. */
  readonly mustAsk?: MustAsk | undefined;
  /** Files of the workspace that ask before they are written; none by default. */
  readonly mustAskToWrite?: MustAskToWrite | undefined;
  /**
   * Commands that `allowed-tools` of a trusted skill names, such as `Bash(git log:*)`, run without the question of `mustAsk`.
   * Skills of untrusted sources ask all the same. Off by default.
   */
  readonly preApproved?: boolean | undefined;
  /**
   * Decides over each command before anything is staged for it, such as `commandPolicy({ allowed })`. With one, calls cannot
   * set variables like `PATH` either. Its `summary` stands in the descriptions of the tools that run commands.
   */
  readonly policy?: CommandPolicy | undefined;
  /** `skill_run` refuses a skill that is not loaded in the session, by this agent. False by default. */
  readonly requireLoad?: boolean | undefined;
  /** Outputs are saved as artifacts without being asked; where they cannot be, a warning says so (TR-95). Off by default. */
  readonly saveOutputs?: boolean | undefined;
  /** Of one result, as JSON; 65,536 by default. What is beyond is cut and told, with how to read the rest. */
  readonly maxResultCharacters?: number | undefined;
  /** Adds the tools for runs that go on and take input: `true` for their default limits. Off by default. */
  readonly interactive?: boolean | InteractiveOptions | undefined;
}
