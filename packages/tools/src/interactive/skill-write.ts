import { SkillError, type SkillTool } from "@skillwright/core";
import { z } from "zod";
import { defineTool } from "../define-tool.js";
import { requiredText } from "../input/text-fields.js";
import type { StartedRun } from "./started-run.js";
import { startedRunAnswer } from "./started-run-answer.js";
import type { StartedRuns } from "./started-runs.js";

const WAIT_MS = 1000;

const inputSchema = () =>
  z.strictObject({
    run_id: requiredText("run_id of skill_start."),
    text: z.string().optional().describe("The text; a line break is added unless newline is false."),
    newline: z.boolean().optional().describe("Add a line break. Default true."),
    end: z.boolean().optional().describe("End the input after that. Default false."),
  });

/** Sends input to a started run and returns its response. */
export function skillWriteTool(runs: StartedRuns): SkillTool {
  return defineTool({
    name: "skill_write",
    description: "Writes a line to the standard input of a run of skill_start. Answers as skill_poll.",
    parallel: false,
    input: inputSchema,
    async run({ run_id: id, text, newline = true, end = false }, context) {
      const run = runs.get(id, context.session);
      if (text === undefined && !end)
        throw new SkillError("INPUT_INVALID", 'Give "text" to write, or "end": true to end the input.');
      if (run.end) throw over(run);
      try {
        if (text !== undefined)
          await run.handle.write(new TextEncoder().encode(newline ? `${text}\n` : text));
        if (end) await run.handle.endInput();
      } catch (error) {
        throw SkillError.is(error, "CLOSED") ? over(run) : error;
      }
      return await startedRunAnswer(run, { waitMs: WAIT_MS }, context);
    },
  });
}

function over({ handle }: StartedRun): SkillError {
  return new SkillError(
    "CLOSED",
    `The run ${handle.runId} no longer accepts input: the run or its input has ended. Read its last output with skill_poll.`,
  );
}
