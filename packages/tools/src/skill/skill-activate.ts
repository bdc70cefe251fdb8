import type { SkillCatalog, SkillTool } from "@skillwright/core";
import { z } from "zod";
import { defineTool } from "../define-tool.js";
import { skillNameField } from "../input/text-fields.js";
import { type LoadedTextOptions, loadedSkillText } from "./loaded-skill-text.js";
import { loadedDelta } from "./loaded-state.js";
import { resolvedSkill } from "./resolved-skill.js";

const inputSchema = () => z.strictObject({ name: skillNameField() });

/**
 * Returns the skill's instructions as text, and its other files by name; marks the skill as loaded. The field is
 * `name`; `skill` is accepted too. An unknown name is refused with similar names.
 */
export function skillActivateTool(skills: SkillCatalog, options: LoadedTextOptions): SkillTool {
  return defineTool({
    name: "skill_activate",
    description: "Returns the instructions of a skill. Call it before you follow one.",
    parallel: true,
    input: inputSchema,
    aliases: { skill: "name" },
    async run({ name }, context) {
      const skill = await resolvedSkill(skills, name, context);
      const { text, diagnostics } = loadedSkillText(skill, options);
      return { output: text, stateDelta: loadedDelta(skill.name, context), diagnostics };
    },
  });
}
