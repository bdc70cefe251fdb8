import {
  type Diagnostic,
  type Skill,
  type SkillCatalog,
  SkillError,
  type SkillTool,
  type ToolContext,
} from "@skillwright/core";
import { z } from "zod";
import { defineTool, type ToolAnswer } from "../define-tool.js";
import { skillNameField } from "../input/text-fields.js";
import { documentFields } from "./document-fields.js";
import { type DocumentSelection, documentSelection, selectionDelta } from "./document-selection.js";
import { documentTexts } from "./document-texts.js";
import { resolvedSkill } from "./resolved-skill.js";
import { chosenDocuments, skillDocuments, unknownDocuments } from "./skill-documents.js";

interface SelectInput {
  skill: string;
  docs?: string[] | undefined;
  include_all_docs?: boolean | undefined;
  mode?: string | undefined;
}

type Mode = "add" | "replace" | "clear";

const inputSchema = () =>
  z.strictObject({
    skill: skillNameField(),
    ...documentFields(),
    mode: z
      .string()
      .meta({ enum: ["add", "replace", "clear"] })
      .optional()
      .describe("add to what is chosen, replace it (default), or clear it."),
  });

/**
 * Changes the selected documents of a skill and returns the text of those named in the call. `add` keeps the selection,
 * first selected first, and stays "all" after all were selected; `replace` (default, also for an unknown mode, with a
 * diagnostic) starts a new selection; `clear` removes the key.
 */
export function skillSelectDocsTool(skills: SkillCatalog): SkillTool {
  return defineTool({
    name: "skill_select_docs",
    description: "Chooses documents of a skill and returns their text.",
    parallel: true,
    input: inputSchema,
    run,
  });

  async function run(input: SelectInput, context: ToolContext): Promise<ToolAnswer> {
    const { signal } = context;
    const skill: Skill = await resolvedSkill(skills, input.skill, context);
    const { mode, diagnostics } = readMode(input.mode);
    if (mode === "clear")
      return {
        output: `No documents of "${skill.name}" are chosen any more.`,
        stateDelta: selectionDelta(skill.name, [], context),
        diagnostics,
      };
    const named = namedDocuments(skill, input);
    const before = mode === "add" ? documentSelection(context, skill.name) : [];
    const selection = union(before, named.all ? "all" : named.paths);
    const texts = await documentTexts(skills, skill, named.paths, { signal });
    return {
      output: [told(skill, selection), texts.text, ...named.notes].filter((part) => part !== "").join("\n"),
      stateDelta: selectionDelta(skill.name, selection, context),
      diagnostics: [...diagnostics, ...texts.diagnostics, ...named.notes.map(unknownDiagnostic)],
    };
  }
}

function readMode(given: string | undefined): { mode: Mode; diagnostics: readonly Diagnostic[] } {
  const mode = given?.trim().toLowerCase() || "replace";
  if (mode === "add" || mode === "replace" || mode === "clear") return { mode, diagnostics: [] };
  const message = `The unknown mode ${JSON.stringify(given?.slice(0, 40))} was treated as "replace".`;
  const hint = "Use add, replace or clear.";
  return { mode: "replace", diagnostics: [{ code: "mode.unknown", severity: "warning", message, hint }] };
}

/** @throws SkillError `FILE_NOT_FOUND` where documents were named and none exists: nothing is changed then. */
function namedDocuments(
  skill: Skill,
  { docs = [], include_all_docs: all = false }: SelectInput,
): { all: boolean; paths: readonly string[]; notes: readonly string[] } {
  if (all) return { all, paths: skillDocuments(skill).map(({ path }) => path), notes: [] };
  const { paths, unknown } = chosenDocuments(skill, docs);
  const notes = unknown.length === 0 ? [] : [unknownDocuments(skill, unknown)];
  if (paths.length === 0 && notes[0]) throw new SkillError("FILE_NOT_FOUND", notes[0]);
  return { all, paths, notes };
}

function union(before: DocumentSelection, added: DocumentSelection): DocumentSelection {
  return before === "all" || added === "all" ? "all" : [...new Set([...before, ...added])];
}

function told({ name }: Skill, selection: DocumentSelection): string {
  if (selection === "all") return `All documents of "${name}" are chosen.`;
  if (selection.length === 0) return `No documents of "${name}" are chosen.`;
  return `Chosen documents of "${name}": ${selection.join(", ")}.`;
}

function unknownDiagnostic(message: string): Diagnostic {
  return { code: "document.unknown", severity: "warning", message, hint: "Choose from skill_list_docs." };
}
