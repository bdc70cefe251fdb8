import type { CatalogSkill, Diagnostic } from "@skillwright/core";
import type { ResolvedOptions } from "../injector-options.js";

/** The standard's own limit; a longer description takes space from others. */
export const MAX_DESCRIPTION = 1024;

/** What is shown of each listed skill: its full description, the beginning of it, or only its name. */
export type OverviewDetail = "full" | "shortened" | "names";

const NAMED = 20;
const REMEDY = "Raise the overview's budget, use the format `names`, or offer the tool skill_list.";

interface Cut {
  readonly detail: OverviewDetail;
  readonly listed: number;
  readonly limit: number;
}

/**
 * Reports what an overview does not show, for the operator. Names are JSON strings, so that each can be read exactly.
 * @param descriptions Those of the first skills, each on one line.
 */
export function overviewDiagnostics(
  skills: readonly CatalogSkill[],
  descriptions: readonly string[],
  cut: Cut,
  options: ResolvedOptions,
): readonly Diagnostic[] {
  const shown = descriptions.slice(0, cut.listed);
  return [
    ...(cut.detail === "names" ? [] : tooLong(skills, shown)),
    ...lessDetail(shown, cut, options),
    ...leftOut(skills.slice(cut.listed), options),
  ];
}

function tooLong(skills: readonly CatalogSkill[], descriptions: readonly string[]): Diagnostic[] {
  const long = skills.filter((_skill, index) => (descriptions[index]?.length ?? 0) > MAX_DESCRIPTION);
  return long.map(({ name }) =>
    warning(
      "overview.description-cut",
      `The description of "${name}" is cut to ${MAX_DESCRIPTION} characters.`,
      "Shorten it in its SKILL.md.",
    ),
  );
}

function lessDetail(
  descriptions: readonly string[],
  { detail, limit }: Cut,
  options: ResolvedOptions,
): Diagnostic[] {
  if (descriptions.length === 0) return [];
  if (detail === "shortened") {
    const count = descriptions.filter(({ length }) => length > limit).length;
    const what = `${count} descriptions are cut to ${limit} characters to fit into the overview of ${budget(options)}.`;
    return [warning("overview.descriptions-shortened", what, REMEDY)];
  }
  if (detail === "names" && options.format !== "names") {
    const what = `Only names fit into the overview of ${budget(options)}; descriptions are left out.`;
    return [warning("overview.names-only", what, REMEDY)];
  }
  return [];
}

function leftOut(left: readonly CatalogSkill[], options: ResolvedOptions): Diagnostic[] {
  if (left.length === 0) return [];
  const names = left.slice(0, NAMED).map(({ name }) => JSON.stringify(name));
  const others = left.length - names.length;
  const all = `${names.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
  return [warning("overview.cut", `Not in the overview of ${budget(options)}: ${all}.`, REMEDY)];
}

function budget({ maxCharacters, maxTokens, maxSkills }: ResolvedOptions): string {
  const sizes = [
    ...(maxCharacters === Number.POSITIVE_INFINITY ? [] : [`${maxCharacters} characters`]),
    ...(maxTokens === undefined ? [] : [`${maxTokens} tokens`]),
  ];
  return [...sizes, `${maxSkills} skills`].join(", ");
}

function warning(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "warning", message, hint };
}
