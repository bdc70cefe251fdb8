import { SkillError } from "@skillwright/core";

/** `xml`: `<available_skills>`; `markdown`: a list with the path of each SKILL.md; `names`: names without descriptions. */
export type OverviewFormat = "xml" | "markdown" | "names";

export interface InjectorOptions {
  /** `xml` by default. */
  readonly format?: OverviewFormat | undefined;
  /** Most characters (UTF-16 units) of the list, its note on what was cut included. Default 4,000, at least 200. */
  readonly maxCharacters?: number | undefined;
  /** Most skills in the list. Default 32. */
  readonly maxSkills?: number | undefined;
  /** Names of the tools the model really has; the guidance speaks of no other. By default the five `skill_*` tools. */
  readonly tools?: readonly string[] | undefined;
  /**
   * Where bodies of loaded skills go. `tool-results` (default) adds nothing, so that the system text stays as it was
   * and provider caches keep hitting; `system` adds the `bodies` of the skills that the state says are loaded.
   */
  readonly loadedBodies?: "tool-results" | "system" | undefined;
}

export interface ResolvedOptions {
  readonly format: OverviewFormat;
  readonly maxCharacters: number;
  readonly maxSkills: number;
  readonly tools: ReadonlySet<string>;
  readonly loadedBodies: "tool-results" | "system";
}

const SKILL_TOOLS = ["skill_list", "skill_load", "skill_select_docs", "skill_list_docs", "skill_run"];
const MIN_CHARACTERS = 200;

/** The options with their defaults. @throws SkillError `CONFIG_INVALID` naming the field. */
export function resolvedOptions(options: InjectorOptions): ResolvedOptions {
  const { format = "xml", maxCharacters = 4000, maxSkills = 32, tools = SKILL_TOOLS } = options;
  const { loadedBodies = "tool-results" } = options;
  if (!["xml", "markdown", "names"].includes(format))
    throw invalid("format", format, 'one of "xml", "markdown", "names"');
  if (!Number.isInteger(maxCharacters) || maxCharacters < MIN_CHARACTERS)
    throw invalid("maxCharacters", maxCharacters, `a whole number from ${MIN_CHARACTERS}`);
  if (!Number.isInteger(maxSkills) || maxSkills < 1)
    throw invalid("maxSkills", maxSkills, "a whole number from 1");
  if (!["tool-results", "system"].includes(loadedBodies))
    throw invalid("loadedBodies", loadedBodies, '"tool-results" or "system"');
  return { format, maxCharacters, maxSkills, tools: new Set(tools), loadedBodies };
}

function invalid(field: string, given: unknown, valid: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `injector: \`${field}\` is ${JSON.stringify(given)}; give ${valid}.`,
    {
      details: { field },
    },
  );
}
