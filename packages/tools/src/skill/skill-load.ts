import type { Skill, SkillCatalog, SkillOrigin, SkillTool, ToolContext } from "@skillwright/core";
import { z } from "zod";
import { defineTool, type ToolAnswer } from "../define-tool.js";
import { skillNameField } from "../input/text-fields.js";
import { documentFields } from "./document-fields.js";
import { selectionDelta } from "./document-selection.js";
import { documentTexts } from "./document-texts.js";
import { type LoadedTextOptions, loadedSkillText } from "./loaded-skill-text.js";
import { loadedDelta } from "./loaded-state.js";
import { resolvedSkill } from "./resolved-skill.js";
import { chosenDocuments, skillDocuments, unknownDocuments } from "./skill-documents.js";

interface LoadInput {
  skill: string;
  docs?: string[] | undefined;
  include_all_docs?: boolean | undefined;
}

const inputSchema = () => z.strictObject({ skill: skillNameField(), ...documentFields() });
const withoutDocuments = () => z.strictObject({ skill: skillNameField() });

/**
 * Returns the skill's instructions as text, its files by name, and the requested documents. Marks the skill as loaded
 * in the state and stores the selection of documents. An unknown document is reported with the existing ones and does
 * not fail the call. Where `skill_read` opens all files, it returns the instructions only.
 */
export function skillLoadTool(skills: SkillCatalog, options: LoadedTextOptions): SkillTool {
  return defineTool({
    name: "skill_load",
    description: options.reads
      ? "Returns the instructions of a skill. Call it before you follow one."
      : "Returns a skill's instructions and, where asked for, its documents.",
    parallel: true,
    input: options.reads ? withoutDocuments : inputSchema,
    ...(options.reads && { aliases: { name: "skill" } }),
    run,
  });

  async function run(
    { skill: name, docs = [], include_all_docs: all = false }: LoadInput,
    context: ToolContext,
  ): Promise<ToolAnswer> {
    const { signal } = context;
    const skill: Skill & SkillOrigin = await resolvedSkill(skills, name, context);
    const { paths, unknown } = chosenDocuments(skill, all ? [] : docs);
    const shown = all ? skillDocuments(skill).map(({ path }) => path) : paths;
    const documents = await documentTexts(skills, skill, shown, { signal });
    const body = loadedSkillText(skill, options);
    const note = unknown.length === 0 ? "" : `Note: ${unknownDocuments(skill, unknown)}`;
    const chosen = all || paths.length > 0;
    return {
      output: [body.text, documents.text, note].filter((part) => part !== "").join("\n"),
      stateDelta: {
        ...loadedDelta(skill.name, context),
        ...(chosen ? selectionDelta(skill.name, all ? "all" : paths, context) : {}),
      },
      diagnostics: [
        ...body.diagnostics,
        ...documents.diagnostics,
        ...(note === ""
          ? []
          : [
              {
                code: "document.unknown",
                severity: "warning" as const,
                message: unknownDocuments(skill, unknown),
                hint: "Choose from skill_list_docs.",
              },
            ]),
      ],
    };
  }
}
