import type { SkillTool } from "@skillwright/core";
import { z } from "zod";
import { defineTool } from "../define-tool.js";
import { skillNameField } from "../input/text-fields.js";
import type { RunGate } from "../run/run-gate.js";
import { calledSkill } from "./executable-tool.js";

const inputSchema = () =>
  z.strictObject({
    skill: skillNameField(),
    parameters: z.record(z.string(), z.unknown()).optional().describe("The skill's parameters by name."),
  });

/** Calls a loaded executable skill. One tool serves all skills, so that the list of tools never changes. */
export function skillCallTool(gate: RunGate): SkillTool {
  return defineTool({
    name: "skill_call",
    description: "Calls a loaded skill that declares parameters. Its instructions say which.",
    parallel: false,
    repeatable: true,
    input: inputSchema,
    aliases: { name: "skill" },
    async run({ skill: name, parameters = {} }, context) {
      const skill = await gate.skill(name, context, { loaded: true });
      return await calledSkill(skill, parameters, context, gate);
    },
  });
}
