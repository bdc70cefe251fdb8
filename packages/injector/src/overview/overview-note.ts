import type { ResolvedOptions } from "../injector-options.js";
import type { OverviewDetail } from "./overview.js";

const LISTING_TOOLS = ["skill_list", "skill_search"];

/** Tells the model what is not in the list and how to access it; empty where nothing was cut. */
export function overviewNote(
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
