import type { PolicyLists } from "./policy-lists.js";
import { UNDERSTOOD } from "./refused-syntax.js";

const SHOWN = 20;

/** Summary for the tool descriptions: 20 names of a list and the number of the others. */
export function policySummary({ allowed, denied }: PolicyLists): string {
  const rules = [
    ...(allowed ? [`Allowed programs: ${preview(allowed)}.`] : []),
    ...(denied.length > 0 ? [`Not allowed: ${preview(denied)}.`] : []),
  ];
  return [...rules, UNDERSTOOD].join(" ");
}

/** The first 20, and the number of the others. */
export function preview(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const shown = names.slice(0, SHOWN).join(", ");
  return names.length > SHOWN ? `${shown}, +${names.length - SHOWN} more` : shown;
}
