import type { SkillCatalog, SkillTool } from "@skillwright/core";
import { skillActivateTool } from "./skill-activate.js";
import { skillListTool } from "./skill-list.js";
import { skillListDocsTool } from "./skill-list-docs.js";
import { skillLoadTool } from "./skill-load.js";
import { skillReadTool } from "./skill-read.js";
import { skillSearchTool } from "./skill-search.js";
import { skillSelectDocsTool } from "./skill-select-docs.js";

/**
 * How a model gets a skill's instructions and files. Each preset offers one way only, so that no two tools do the same:
 *
 * - `load` (default): `skill_load` for the instructions, `skill_list_docs` and `skill_select_docs` for
 *   documents.
 * - `activate`: `skill_activate` for the instructions, `skill_read` for every other file.
 * - `read`: `skill_read` for all, with `SKILL.md` for the instructions.
 * - `files`: `skill_load` for the instructions, `skill_read` for every other file.
 */
export type SkillToolsPreset = "load" | "activate" | "read" | "files";

/** The call that loads a skill, as named in refusals. */
export const LOAD_CALLS: Readonly<Record<SkillToolsPreset, string>> = {
  load: "skill_load",
  activate: "skill_activate",
  read: "skill_read for its SKILL.md",
  files: "skill_load",
};

export interface KnowledgeOptions {
  readonly preset: SkillToolsPreset;
  /** Adds `skill_search`; `skill_list` then only lists. */
  readonly search: boolean;
  /** True where commands of skills may run. */
  readonly runs: boolean;
  /** True where `skill_call` is available. */
  readonly calls: boolean;
  /** Maximum characters of a result. */
  readonly budget: number;
}

/** The tools that find and show skills and change nothing but state. */
export function knowledgeTools(
  skills: SkillCatalog,
  { preset, search, runs, calls, budget }: KnowledgeOptions,
): readonly SkillTool[] {
  return [
    skillListTool(skills, { queries: !search && preset !== "activate" }),
    ...(search ? [skillSearchTool(skills)] : []),
    ...loading(),
  ];

  function loading(): readonly SkillTool[] {
    if (preset === "activate")
      return [
        skillActivateTool(skills, { runs, reads: true, calls }),
        skillReadTool(skills, { runs, loadCall: LOAD_CALLS[preset], budget }),
      ];
    if (preset === "files")
      return [
        skillLoadTool(skills, { runs, reads: true, calls }),
        skillReadTool(skills, { runs, loadCall: LOAD_CALLS[preset], budget }),
      ];
    if (preset === "read") return [skillReadTool(skills, { runs, calls, budget })];
    return [skillLoadTool(skills, { runs, calls }), skillSelectDocsTool(skills), skillListDocsTool(skills)];
  }
}
