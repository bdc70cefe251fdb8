import type { SkillTool } from "@skillwright/core";
import { z } from "zod";
import { defineTool } from "../define-tool.js";
import { requiredText } from "../input/text-fields.js";
import { stopRun } from "./started-run.js";
import { startedRunAnswer } from "./started-run-answer.js";
import type { StartedRuns } from "./started-runs.js";

const inputSchema = () => z.strictObject({ run_id: requiredText("run_id of skill_start.") });

/** Ends a started run with all its processes: asks it to end, and kills it after two seconds. */
export function skillStopTool(runs: StartedRuns): SkillTool {
  return defineTool({
    name: "skill_stop",
    description: "Ends a run of skill_start. Answers with its last output and its files.",
    parallel: false,
    input: inputSchema,
    async run({ run_id: id }, context) {
      const run = runs.get(id, context.session);
      await stopRun(run, "stop");
      return await startedRunAnswer(run, { waitMs: 0 }, context);
    },
  });
}
