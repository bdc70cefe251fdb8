import { SkillError, type SkillTool, type Workspaces } from "@skillwright/core";
import type { RunParts } from "../run/skill-run.js";
import { skillPollTool } from "./skill-poll.js";
import { skillStartTool } from "./skill-start.js";
import { skillStopTool } from "./skill-stop.js";
import { skillWriteTool } from "./skill-write.js";
import { type InteractiveOptions, type StartedRuns, startedRuns } from "./started-runs.js";

export interface InteractiveTools {
  /** `skill_start`, `skill_poll`, `skill_write`, `skill_stop`. */
  tools(parts: RunParts): readonly SkillTool[];
  /**
   * Refuses a run in a workspace with an active started run, instead of waiting for it. @throws SkillError `CONFLICT`.
   */
  checkFree(workspaceId: string): void;
}

/** @throws SkillError `CONFIG_INVALID` for workspaces that cannot start runs, and for invalid limits. */
export function interactiveTools(workspaces: Workspaces, options: InteractiveOptions): InteractiveTools {
  if (typeof workspaces.start !== "function")
    throw new SkillError(
      "CONFIG_INVALID",
      "skillTools: `interactive` needs workspaces with `start`, such as those of workspaceManager. Give them, or leave `interactive` out.",
    );
  const runs = startedRuns(options);
  return {
    tools: (parts) => [
      skillStartTool(parts, runs),
      skillPollTool(runs),
      skillWriteTool(runs),
      skillStopTool(runs),
    ],
    checkFree: (workspaceId) => checkFree(workspaceId, runs),
  };
}

function checkFree(workspaceId: string, runs: StartedRuns): void {
  const run = runs.goingOnIn(workspaceId);
  if (!run) return;
  throw new SkillError(
    "CONFLICT",
    `The run ${run.handle.runId} of "${run.skill}" is still in progress in this workspace, which runs one command at a time. ` +
      "Finish it with skill_write and skill_poll, or end it with skill_stop.",
    { details: { runId: run.handle.runId } },
  );
}
