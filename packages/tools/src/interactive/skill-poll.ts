import type { SkillTool } from "@skillwright/core";
import { z } from "zod";
import { defineTool } from "../define-tool.js";
import { requiredText } from "../input/text-fields.js";
import { startedRunAnswer } from "./started-run-answer.js";
import type { StartedRuns } from "./started-runs.js";

const inputSchema = () =>
  z.strictObject({
    run_id: requiredText("run_id of skill_start."),
    wait: z.number().min(0).max(60).optional().describe("Seconds to wait for output, at most 60; default 1."),
    offset: z.number().int().min(0).optional().describe("Read from here again; default what is new."),
    max_bytes: z
      .number()
      .int()
      .min(1)
      .max(65_536)
      .optional()
      .describe("Most bytes of output; default 16384, at most 65536."),
  });

/** Returns the output of a started run since the last answer, and its state. */
export function skillPollTool(runs: StartedRuns): SkillTool {
  return defineTool({
    name: "skill_poll",
    description:
      "Returns new output of a run of skill_start and whether it goes on; at its end also its files.",
    parallel: true,
    input: inputSchema,
    async run({ run_id: id, wait = 1, offset, max_bytes: maxBytes }, context) {
      const run = runs.get(id, context.session);
      return await startedRunAnswer(run, { offset, waitMs: wait * 1000, maxBytes }, context);
    },
  });
}
