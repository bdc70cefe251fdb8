import type { SkillTool, ToolContext } from "@skillwright/core";
import { z } from "zod";
import { defineTool, type ToolAnswer } from "../define-tool.js";
import { skillNameField } from "../input/text-fields.js";
import { requestedOutputs } from "./requested-outputs.js";
import { runAnswer } from "./run-answer.js";
import { type RunParts, runCommand } from "./run-command.js";
import { outputFilesFields, runFields } from "./run-fields.js";
import { runnableSkill } from "./runnable-skill.js";
import { workspaceRunOf } from "./workspace-run-of.js";

export interface SkillRunParts extends RunParts {
  /** Refuse a skill that is not loaded in the session (TR-05). */
  readonly requireLoad: boolean;
  /** How the model loads one, for that refusal: `skill_load` by default. */
  readonly loadCall?: string | undefined;
}

const inputSchema = () => z.strictObject({ skill: skillNameField(), ...runFields(), ...outputFilesFields() });

/** Runs a command in a skill's directory, in the session's workspace. Fields, defaults and result are those of seed 003. */
export function skillRunTool(parts: SkillRunParts): SkillTool {
  return defineTool({
    name: "skill_run",
    description:
      "Runs a command in a skill's directory. Files of the user are at inputs/, results go to out/. Returns stdout, stderr, exit code and files.",
    parallel: false,
    input: inputSchema(),
    run,
  });

  async function run(
    fields: z.infer<ReturnType<typeof inputSchema>>,
    context: ToolContext,
  ): Promise<ToolAnswer> {
    const skill = await runnableSkill(parts, fields.skill, context);
    const requested = requestedOutputs(fields, parts);
    const run = { ...workspaceRunOf(fields, requested), skill: skill.name };
    return runAnswer(await runCommand(run, skill, context, parts), requested);
  }
}
