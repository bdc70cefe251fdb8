import {
  type Approval,
  type CommandPolicy,
  type SkillCatalog,
  SkillError,
  type SkillTool,
  type Workspaces,
} from "@skillwright/core";
import { workspaceListTool } from "./files/workspace-list.js";
import { workspaceReadTool } from "./files/workspace-read.js";
import { workspaceWriteTool } from "./files/workspace-write.js";
import { interactiveTools } from "./interactive/interactive-tools.js";
import type { InteractiveOptions } from "./interactive/started-runs.js";
import { guardedWorkspaces } from "./policy/guarded-workspaces.js";
import { type MustAsk, runPermission } from "./run/run-permission.js";
import { skillRunTool } from "./run/skill-run.js";
import { workspaceRunTool } from "./run/workspace-run.js";
import { skillListTool } from "./skill/skill-list.js";
import { skillListDocsTool } from "./skill/skill-list-docs.js";
import { skillLoadTool } from "./skill/skill-load.js";
import { skillSelectDocsTool } from "./skill/skill-select-docs.js";

export interface SkillToolsOptions {
  readonly skills: SkillCatalog;
  /** Where commands run. Without it the skills are knowledge only and no tool runs, reads or writes files (TR-03). */
  readonly workspaces?: Workspaces | undefined;
  /** Asked before a skill of an untrusted source runs, and where `mustAsk` says so. Without it such a run is refused. */
  readonly approval?: Approval | undefined;
  /** Runs that ask beside those of untrusted skills, such as everything where there is no sandbox. */
  readonly mustAsk?: MustAsk | undefined;
  /**
   * Decides over each command before anything is staged for it, such as `commandPolicy({ allowed })`. With one, calls cannot
   * set variables like `PATH` either. Its `summary` stands in the descriptions of the tools that run commands.
   */
  readonly policy?: CommandPolicy | undefined;
  /** `skill_run` refuses a skill that `skill_load` has not loaded in the session. False by default. */
  readonly requireLoad?: boolean | undefined;
  /** Outputs are saved as artifacts without being asked; where they cannot be, a warning says so (TR-95). Off by default. */
  readonly saveOutputs?: boolean | undefined;
  /** Adds the tools for runs that go on and take input: `true` for their default limits. Off by default. */
  readonly interactive?: boolean | InteractiveOptions | undefined;
}

/**
 * The tools over these skills: `skill_list`, `skill_load`, `skill_select_docs`, `skill_list_docs`, and with workspaces
 * `skill_run`, `workspace_read`, `workspace_write`, `workspace_list`, `workspace_run`; where `interactive` says so also
 * `skill_start`, `skill_poll`, `skill_write`, `skill_stop`.
 *
 * They never throw at the model and never change the state: refusals and state deltas are in the result. Approvals are
 * remembered per user and digest for as long as the returned tools live.
 * @throws SkillError `CONFIG_INVALID` without a catalogue, and for `interactive` over workspaces that cannot start runs.
 */
export function skillTools(options: SkillToolsOptions): readonly SkillTool[] {
  const { skills, workspaces, approval, mustAsk, policy, requireLoad = false, interactive } = options;
  if (typeof skills?.snapshot !== "function")
    throw new SkillError("CONFIG_INVALID", "skillTools: `skills` is no catalogue. Give skillBox({ ... }).");
  const knowledge = [
    skillListTool(skills),
    skillLoadTool(skills, { runs: workspaces !== undefined }),
    skillSelectDocsTool(skills),
    skillListDocsTool(skills),
  ];
  if (!workspaces) return knowledge;
  const permission = runPermission({ skills, workspaces, approval, mustAsk });
  const guarded = guardedWorkspaces(workspaces, { skills, policy: policy !== undefined });
  const { saveOutputs } = options;
  const parts = { skills, workspaces: guarded, permission, policy, requireLoad, saveOutputs };
  const talking = interactive
    ? interactiveTools(parts, interactive === true ? {} : interactive)
    : { tools: [], workspaces: guarded };
  const runParts = { ...parts, workspaces: talking.workspaces };
  const tools = [
    ...knowledge,
    skillRunTool(runParts),
    workspaceReadTool(workspaces),
    workspaceWriteTool(workspaces),
    workspaceListTool(workspaces),
    workspaceRunTool(runParts),
    ...talking.tools,
  ];
  return tools.map((tool) => (RUNS_COMMANDS.has(tool.name) ? withSummary(tool, policy?.summary) : tool));
}

const RUNS_COMMANDS: ReadonlySet<string> = new Set(["skill_run", "workspace_run", "skill_start"]);

function withSummary(tool: SkillTool, summary: string | undefined): SkillTool {
  return summary === undefined ? tool : { ...tool, description: `${tool.description} ${summary}` };
}
