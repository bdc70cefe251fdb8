import type { CatalogSkill, Diagnostic } from "@skillwright/core";
import type { OverviewRenderer, ResolvedOptions } from "../injector-options.js";
import { oneLine, shortened } from "./one-line.js";
import { MAX_DESCRIPTION, type OverviewDetail, overviewDiagnostics } from "./overview-diagnostics.js";
import { overviewRenderer } from "./overview-renderer.js";

/** A shorter description is useless. */
const MIN_DESCRIPTION = 16;

export interface Overview {
  /** Empty where not even one name fits. */
  readonly text: string;
  readonly detail: OverviewDetail;
  /** Number of skills in it; they are the first ones. */
  readonly listed: number;
  /** True where descriptions from an untrusted source are shown. */
  readonly showsUntrusted: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

interface Shape {
  readonly detail: OverviewDetail;
  readonly listed: number;
  /** Maximum characters of one description. */
  readonly limit: number;
  readonly note: boolean;
}

/**
 * The most detailed list of the skills that fits the budget: full descriptions; descriptions cut to a common length
 * (short ones stay complete); names; as many names as fit. Entries are complete or omitted. A last line inside the
 * budget tells what was cut; it is omitted rather than the last remaining skill.
 */
export function overview(skills: readonly CatalogSkill[], options: ResolvedOptions): Overview {
  const candidates = skills
    .slice(0, options.maxSkills)
    .map((skill) => ({ skill, description: oneLine(skill.description) }));
  const write = overviewWriter(candidates, skills.length, options);
  const fits = (shape: Shape): boolean =>
    !isTooLong(candidates, shape, options) && options.fits(write(shape));
  const shape = richestShape(candidates, options, fits);
  const descriptions = candidates.map(({ description }) => description);
  const diagnostics = overviewDiagnostics(skills, descriptions, shape, options);
  const showsUntrusted =
    shape.detail !== "names" && candidates.slice(0, shape.listed).some(({ skill }) => !skill.trusted);
  return { text: shape.listed === 0 ? "" : write(shape), ...shape, showsUntrusted, diagnostics };
}

interface Candidate {
  readonly skill: CatalogSkill;
  /** On one line. */
  readonly description: string;
}

/** Writes the list in a shape. The last text and the entries with whole descriptions are kept for the next shape. */
function overviewWriter(
  candidates: readonly Candidate[],
  total: number,
  options: ResolvedOptions,
): (shape: Shape) => string {
  const renderer = overviewRenderer(options);
  const whole: string[] = [];
  let last: { readonly shape: Shape; readonly text: string } | undefined;

  function entry({ skill, description }: Candidate, index: number, shape: Shape): string {
    if (shape.detail === "names") return renderer.entry(skill, undefined);
    // The cut may leave a joiner without the character that it joined, which must be written out.
    if (description.length > shape.limit)
      return renderer.entry(skill, oneLine(shortened(description, shape.limit)));
    whole[index] ??= renderer.entry(skill, description);
    return whole[index];
  }

  return (shape) => {
    if (last && isSameShape(last.shape, shape)) return last.text;
    const entries = candidates
      .slice(0, shape.listed)
      .map((candidate, index) => entry(candidate, index, shape));
    const note = shape.note ? overviewNote(shape, total, options) : "";
    last = { shape, text: rendered(renderer, entries, note) };
    return last.text;
  };
}

function isSameShape(a: Shape, b: Shape): boolean {
  return a.detail === b.detail && a.listed === b.listed && a.limit === b.limit && a.note === b.note;
}

/** True where the descriptions alone exceed the characters of the budget, so that nothing need be written to know it. */
function isTooLong(
  candidates: readonly Candidate[],
  { detail, listed, limit }: Shape,
  { format, maxCharacters }: ResolvedOptions,
): boolean {
  // A custom renderer may leave them out.
  if (detail === "names" || typeof format === "object") return false;
  let characters = 0;
  // Cutting may drop half a character.
  for (const { description } of candidates.slice(0, listed))
    characters += Math.min(description.length, limit - 1);
  return characters > maxCharacters;
}

function richestShape(
  candidates: readonly { readonly description: string }[],
  { format }: ResolvedOptions,
  fits: (shape: Shape) => boolean,
): Shape {
  const listed = candidates.length;
  const names: Shape = { detail: "names", listed, limit: 0, note: true };
  if (format !== "names") {
    const full: Shape = { detail: "full", listed, limit: MAX_DESCRIPTION, note: true };
    if (fits(full)) return full;
    const longest = Math.max(0, ...candidates.map(({ description }) => description.length));
    const short = (limit: number): Shape => ({ ...full, detail: "shortened", limit });
    const limit = greatest(MIN_DESCRIPTION, Math.min(longest, MAX_DESCRIPTION) - 1, (one) =>
      fits(short(one)),
    );
    if (limit !== undefined) return short(limit);
  }
  if (fits(names)) return names;
  const bare: Shape = { ...names, note: false };
  if (fits(bare)) return bare;
  const told = greatest(1, listed - 1, (count) => fits({ ...names, listed: count }));
  if (told !== undefined) return { ...names, listed: told };
  const untold = greatest(1, listed - 1, (count) => fits({ ...bare, listed: count }));
  return { ...bare, listed: untold ?? 0 };
}

function rendered({ open, close }: OverviewRenderer, entries: readonly string[], note: string): string {
  return [open, ...entries, close, note && `\n${note}`].filter((line) => line !== "").join("\n");
}

/**
 * The greatest whole number from `low` to `high` that passes, where all smaller numbers pass too; `undefined` for none.
 */
function greatest(low: number, high: number, passes: (candidate: number) => boolean): number | undefined {
  let best: number | undefined;
  let from = low;
  let to = high;
  while (from <= to) {
    const middle = Math.floor((from + to) / 2);
    if (passes(middle)) {
      best = middle;
      from = middle + 1;
    } else to = middle - 1;
  }
  return best;
}

const LISTING_TOOLS = ["skill_list", "skill_search"];

/** Tells the model what is not in the list and how to access it; empty where nothing was cut. */
function overviewNote(
  { detail, listed }: { readonly detail: OverviewDetail; readonly listed: number },
  total: number,
  { tools, format }: Pick<ResolvedOptions, "tools" | "format">,
): string {
  const cuts: string[] = [];
  if (listed < total) cuts.push(`${listed} of ${total} skills are listed here`);
  // Showing names only is not a cut where that format was requested.
  if (detail === "shortened") cuts.push("descriptions are shortened");
  else if (detail === "names" && format !== "names") cuts.push("descriptions are left out");
  if (cuts.length === 0) return "";
  const sentence = cuts.join("; ");
  const tool = LISTING_TOOLS.find((name) => tools.has(name));
  const remedy = tool ? ` Call \`${tool}\` for the rest.` : "";
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.${remedy}`;
}
