import type { SkillCatalog, SkillTool } from "@skillwright/core";
import { z } from "zod";
import { defineTool } from "../define-tool.js";
import { skillNameField } from "../input/text-fields.js";
import { resolvedSkill } from "./resolved-skill.js";
import { skillDocuments } from "./skill-documents.js";

const inputSchema = () => z.strictObject({ skill: skillNameField() });

/** Returns an array of the documents' paths, sorted. */
export function skillListDocsTool(skills: SkillCatalog): SkillTool {
  return defineTool({
    name: "skill_list_docs",
    description: "Lists the documents of a skill.",
    parallel: true,
    input: inputSchema,
    async run({ skill: name }, context) {
      const skill = await resolvedSkill(skills, name, context);
      return { output: skillDocuments(skill).map(({ path }) => path) };
    },
  });
}
