import { SKILL_STATE_KEYS, SkillError, type SkillTool, type ToolContext } from "@skillwright/core";
import { z } from "zod";
import { defineTool, type ToolAnswer } from "../define-tool.js";
import { skillNameField } from "../input/text-fields.js";
import { visibleSkill } from "../skill/visible-skill.js";
import { requestedOutputs } from "./requested-outputs.js";
import { runAnswer } from "./run-answer.js";
import { type RunParts, runCommand } from "./run-command.js";
import { outputFilesFields, runFields } from "./run-fields.js";
import { workspaceRunOf } from "./workspace-run-of.js";

export interface SkillRunParts extends RunParts {
  /** Refuse a skill that is not loaded in the session (TR-05). */
  readonly requireLoad: boolean;
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
    const skill = await visibleSkill(parts.skills, fields.skill, context);
    if (parts.requireLoad && context.state[SKILL_STATE_KEYS.loaded(skill.name)] !== "1")
      throw new SkillError("REFUSED", `Load the skill first: call skill_load with "${skill.name}".`, {
        details: { retry: true },
      });
    const requested = requestedOutputs(fields, parts);
    const run = { ...workspaceRunOf(fields, requested), skill: skill.name };
    return runAnswer(await runCommand(run, skill, context, parts), requested);
  }
}
