import type { SkillTool, ToolContext } from "@skillwright/core";
import { z } from "zod";
import { defineTool, type ToolAnswer } from "../define-tool.js";
import { skillNameField } from "../input/text-fields.js";
import { requestedRun } from "../run/requested-run.js";
import { runFields } from "../run/run-fields.js";
import type { RunParts } from "../run/skill-run.js";
import type { ResolvedSkill } from "../skill/resolved-skill.js";
import { type StartedRun, startedRun, stopRun } from "./started-run.js";
import { startedRunAnswer } from "./started-run-answer.js";
import type { StartedRuns } from "./started-runs.js";

const FIRST_WAIT_MS = 1000;

const inputSchema = () => {
  const { command, cwd, env, editor_text, inputs, outputs } = runFields();
  return z.strictObject({ skill: skillNameField(), command, cwd, env, editor_text, inputs, outputs });
};

/** Starts a command that keeps running after the call. Policy, approval and needs are checked as for `skill_run`. */
export function skillStartTool(parts: RunParts, runs: StartedRuns): SkillTool {
  return defineTool({
    name: "skill_start",
    description:
      "Starts a command in a skill's directory that takes input or goes on for long. Answers with run_id and first output.",
    parallel: false,
    input: inputSchema,
    run,
  });

  async function run(
    fields: z.infer<ReturnType<typeof inputSchema>>,
    context: ToolContext,
  ): Promise<ToolAnswer> {
    const skill = await parts.gate.skill(fields.skill, context);
    const started = await runs.add(() => begin(skill, fields, context));
    try {
      return await startedRunAnswer(started, { waitMs: FIRST_WAIT_MS }, context);
    } catch (error) {
      // The caller would never learn of it.
      if (context.signal?.aborted) await stopRun(started, "stop");
      throw error;
    }
  }

  async function begin(
    skill: ResolvedSkill,
    fields: z.infer<ReturnType<typeof inputSchema>>,
    context: ToolContext,
  ): Promise<StartedRun> {
    const requested = requestedRun(fields, parts);
    const wanted = { ...requested.run, skill: skill.name };
    const handle = await parts.gate.start(wanted, skill, context);
    return startedRun({ handle, session: context.session, skill: skill.name, requested });
  }
}
