import type { SkillTool, ToolContext } from "@skillwright/core";
import { z } from "zod";
import { defineTool, type ToolAnswer } from "../define-tool.js";
import { skillNameField } from "../input/text-fields.js";
import { requestedRun } from "./requested-run.js";
import { runAnswer } from "./run-answer.js";
import { outputFilesFields, runFields } from "./run-fields.js";
import type { RunGate } from "./run-gate.js";

export interface RunParts {
  readonly gate: RunGate;
  /** Save all files that runs leave in `out/` and everything else collected, requested or not. */
  readonly saveOutputs?: boolean | undefined;
}

const inputSchema = () => z.strictObject({ skill: skillNameField(), ...runFields(), ...outputFilesFields() });

/**
 * Runs a command in a skill's directory, in the session's workspace.
 */
export function skillRunTool(parts: RunParts): SkillTool {
  return defineTool({
    name: "skill_run",
    description:
      "Runs a command in a skill's directory. Files of the user are at work/inputs/, results go to out/. Returns stdout, stderr, exit code and files.",
    parallel: false,
    repeatable: true,
    input: inputSchema,
    run,
  });

  async function run(
    fields: z.infer<ReturnType<typeof inputSchema>>,
    context: ToolContext,
  ): Promise<ToolAnswer> {
    const skill = await parts.gate.skill(fields.skill, context);
    const requested = requestedRun(fields, parts);
    const run = { ...requested.run, skill: skill.name };
    return runAnswer(await parts.gate.run(run, skill, context), requested);
  }
}
