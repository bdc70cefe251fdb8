import { SkillError, type SkillTool, type Workspaces } from "@skillwright/core";
import { delegate } from "../policy/delegate.js";
import type { SkillRunParts } from "../run/skill-run.js";
import { skillPollTool } from "./skill-poll.js";
import { skillStartTool } from "./skill-start.js";
import { skillStopTool } from "./skill-stop.js";
import { skillWriteTool } from "./skill-write.js";
import { type InteractiveOptions, type StartedRuns, startedRuns } from "./started-runs.js";

export interface InteractiveTools {
  /** `skill_start`, `skill_poll`, `skill_write`, `skill_stop`. */
  readonly tools: readonly SkillTool[];
  /** The workspaces for the other tools: a run in one where a started run goes on is refused instead of waiting for it. */
  readonly workspaces: Workspaces;
}

/** @throws SkillError `CONFIG_INVALID` for workspaces that cannot start runs, and for bad limits. */
export function interactiveTools(parts: SkillRunParts, options: InteractiveOptions): InteractiveTools {
  if (typeof parts.workspaces.start !== "function")
    throw new SkillError(
      "CONFIG_INVALID",
      "skillTools: `interactive` needs workspaces with `start`, such as workspaceManager gives. Leave it out otherwise.",
    );
  const runs = startedRuns(options);
  const workspaces = withoutWaiting(parts.workspaces, runs);
  return {
    tools: [
      skillStartTool({ ...parts, workspaces }, runs),
      skillPollTool(runs),
      skillWriteTool(runs),
      skillStopTool(runs),
    ],
    workspaces,
  };
}

function withoutWaiting(workspaces: Workspaces, runs: StartedRuns): Workspaces {
  return delegate(workspaces, {
    async run(id, run, options) {
      checkFree(id, runs);
      return await workspaces.run(id, run, options);
    },
    async start(id, run, options) {
      checkFree(id, runs);
      if (!workspaces.start) throw new SkillError("UNSUPPORTED", "Runs cannot be started here.");
      return await workspaces.start(id, run, options);
    },
  });
}

function checkFree(workspaceId: string, runs: StartedRuns): void {
  const run = runs.goingOnIn(workspaceId);
  if (!run) return;
  throw new SkillError(
    "CONFLICT",
    `The run ${run.handle.runId} of "${run.skill}" goes on in this workspace, and runs there come one after the other. ` +
      "Finish it with skill_write and skill_poll, or end it with skill_stop.",
    { details: { runId: run.handle.runId } },
  );
}
