import type { SkillTool, Workspaces } from "@skillwright/core";
import { skillCallTool } from "../executable/skill-call.js";
import { workspaceListTool } from "../files/workspace-list.js";
import { workspaceReadTool } from "../files/workspace-read.js";
import { workspaceWriteTool } from "../files/workspace-write.js";
import { interactiveTools } from "../interactive/interactive-tools.js";
import type { ApprovalDesk } from "../permission/ask-approval.js";
import { writePermission } from "../permission/write-permission.js";
import { guardedWorkspaces } from "../policy/guarded-workspaces.js";
import type { SkillToolsOptions } from "../skill-tools-options.js";
import { runPermission } from "./run-permission.js";
import { type SkillRunParts, skillRunTool } from "./skill-run.js";
import { workspaceRunTool } from "./workspace-run.js";

export interface RunningTools {
  readonly ofSkills: readonly SkillTool[];
  readonly ofWorkspace: readonly SkillTool[];
  readonly interactive: readonly SkillTool[];
  /** For tools that appear later. */
  readonly parts: SkillRunParts;
}

type RunningOptions = SkillToolsOptions & {
  readonly workspaces: Workspaces;
  readonly desk: ApprovalDesk;
  readonly budget: number;
  readonly loadCall: string;
};

/** The tools that run commands and work on files. @throws SkillError `CONFIG_INVALID` as `interactiveTools`. */
export function runningTools(options: RunningOptions): RunningTools {
  const { skills, workspaces, desk, mustAsk, policy, saveOutputs, loadCall, interactive } = options;
  const { requireLoad = false, preApproved = false, calls = false } = options;
  const permission = runPermission({ skills, workspaces, desk, mustAsk, preApproved });
  const guarded = guardedWorkspaces(workspaces, { skills, policy: policy !== undefined });
  const own = { skills, workspaces: guarded, permission, policy, requireLoad, loadCall, saveOutputs };
  const talking = interactive
    ? interactiveTools(own, interactive === true ? {} : interactive)
    : { tools: [], workspaces: guarded };
  const parts: SkillRunParts = { ...own, workspaces: talking.workspaces };
  const summed = (tool: SkillTool) => withSummary(tool, policy?.summary);
  return {
    ofSkills: [summed(skillRunTool(parts)), ...(calls ? [skillCallTool(parts)] : [])],
    ofWorkspace: [
      workspaceReadTool(workspaces, options.budget),
      workspaceWriteTool(workspaces, writePermission(desk, options.mustAskToWrite)),
      workspaceListTool(workspaces),
      summed(workspaceRunTool(parts)),
    ],
    interactive: talking.tools.map((tool) => (tool.name === "skill_start" ? summed(tool) : tool)),
    parts,
  };
}

function withSummary(tool: SkillTool, summary: string | undefined): SkillTool {
  return summary === undefined ? tool : { ...tool, description: `${tool.description} ${summary}` };
}
