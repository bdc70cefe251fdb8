import type { CatalogSkill, Diagnostic } from "@skillwright/core";
import type { ResolvedOptions } from "./injector-options.js";
import { oneLine } from "./one-line.js";
import { type OverviewFrame, overviewFrame } from "./overview-frame.js";

/** The standard's own limit; a longer description takes the room of others. */
const MAX_DESCRIPTION = 1024;
const NAMED_IN_DIAGNOSTIC = 20;

/**
 * The list of the skills within its budget. Entries are whole or not there; the first that does not fit and all after
 * it are left out and counted in a last line, which is inside the budget too.
 */
export function overview(
  skills: readonly CatalogSkill[],
  options: ResolvedOptions,
): { text: string; diagnostics: readonly Diagnostic[] } {
  const frame = overviewFrame(options.format);
  const candidates = skills.slice(0, options.maxSkills);
  const entries = candidates.map((skill) =>
    frame.entry(skill, shortenedText(oneLine(skill.description), MAX_DESCRIPTION)),
  );
  const kept = fitting(entries, skills.length, frame, options);
  return {
    text: rendered(frame, entries.slice(0, kept), skills.length - kept, options),
    diagnostics: [...descriptionsCut(candidates.slice(0, kept)), ...skillsCut(skills.slice(kept), options)],
  };
}

/** The longest row of entries that fits together with the line that counts the others. */
function fitting(
  entries: readonly string[],
  total: number,
  frame: OverviewFrame,
  options: ResolvedOptions,
): number {
  let kept = 0;
  let size = 0;
  for (const [index, entry] of entries.entries()) {
    size += entry.length + 1;
    const others = total - index - 1;
    if (size + rendered(frame, [], others, options).length <= options.maxCharacters) kept = index + 1;
  }
  return kept;
}

function rendered(
  { open, close }: OverviewFrame,
  entries: readonly string[],
  others: number,
  { tools }: ResolvedOptions,
): string {
  const remedy = tools.has("skill_list") ? "use skill_list to find them" : "not listed here";
  const note = others === 0 ? "" : `\n${others} more ${others === 1 ? "skill" : "skills"}, ${remedy}.`;
  return [open, ...entries, close, note].filter((line) => line !== "").join("\n");
}

function shortenedText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

function descriptionsCut(skills: readonly CatalogSkill[]): Diagnostic[] {
  const cut = skills.filter(({ description }) => oneLine(description).length > MAX_DESCRIPTION);
  return cut.map(({ name }) => ({
    code: "overview.description-cut",
    severity: "warning",
    message: `The description of "${name}" is shown cut to ${MAX_DESCRIPTION} characters.`,
    hint: "Shorten it in its SKILL.md.",
  }));
}

function skillsCut(
  left: readonly CatalogSkill[],
  { maxCharacters, maxSkills }: ResolvedOptions,
): Diagnostic[] {
  if (left.length === 0) return [];
  const names = left.slice(0, NAMED_IN_DIAGNOSTIC).map(({ name }) => name);
  const others = left.length - names.length;
  return [
    {
      code: "overview.cut",
      severity: "warning",
      message: `Not in the overview of ${maxCharacters} characters and ${maxSkills} skills: ${names.join(", ")}${others > 0 ? ` and ${others} more` : ""}.`,
      hint: "Raise maxCharacters or maxSkills, use the format `names`, or offer the tool skill_list.",
    },
  ];
}
