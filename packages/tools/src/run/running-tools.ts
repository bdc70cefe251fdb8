import type { SkillTool, Workspaces } from "@skillwright/core";
import { skillCallTool } from "../executable/skill-call.js";
import { workspaceListTool } from "../files/workspace-list.js";
import { workspaceReadTool } from "../files/workspace-read.js";
import { workspaceWriteTool } from "../files/workspace-write.js";
import { interactiveTools } from "../interactive/interactive-tools.js";
import type { ApprovalDesk } from "../permission/ask-approval.js";
import { writePermission } from "../permission/write-permission.js";
import type { SkillToolsOptions } from "../skill-tools-options.js";
import { type RunGate, runGate } from "./run-gate.js";
import { skillRunTool } from "./skill-run.js";
import { workspaceRunTool } from "./workspace-run.js";

export interface RunningTools {
  readonly ofSkills: readonly SkillTool[];
  readonly ofWorkspace: readonly SkillTool[];
  readonly interactive: readonly SkillTool[];
  /** The gate for dynamic tools. */
  readonly gate: RunGate;
}

type RunningOptions = SkillToolsOptions & {
  readonly workspaces: Workspaces;
  readonly desk: ApprovalDesk;
  readonly budget: number;
  readonly loadCall: string;
};

/** The tools that run commands and access files. @throws SkillError `CONFIG_INVALID` as `interactiveTools`. */
export function runningTools(options: RunningOptions): RunningTools {
  const { workspaces, desk, mustAsk, policy, saveOutputs, interactive } = options;
  const { requireLoad = false, preApproved = false, calls = false } = options;
  const talking = interactive && interactiveTools(workspaces, interactive === true ? {} : interactive);
  const checkFree = talking ? talking.checkFree : undefined;
  const gate = runGate({ ...options, policy, mustAsk, requireLoad, preApproved, checkFree });
  const parts = { gate, saveOutputs };
  const summed = (tool: SkillTool) => withSummary(tool, policy?.summary);
  return {
    ofSkills: [summed(skillRunTool(parts)), ...(calls ? [skillCallTool(gate)] : [])],
    ofWorkspace: [
      workspaceReadTool(workspaces, options.budget),
      workspaceWriteTool(workspaces, writePermission(desk, options.mustAskToWrite)),
      workspaceListTool(workspaces),
      summed(workspaceRunTool(parts)),
    ],
    interactive: talking
      ? talking.tools(parts).map((tool) => (tool.name === "skill_start" ? summed(tool) : tool))
      : [],
    gate,
  };
}

function withSummary(tool: SkillTool, summary: string | undefined): SkillTool {
  return summary === undefined ? tool : { ...tool, description: `${tool.description} ${summary}` };
}
