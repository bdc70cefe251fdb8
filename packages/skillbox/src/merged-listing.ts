import type { Diagnostic, SkillListing, SkillSummary } from "@skillwright/core";
import { byNameThenPath, byPath } from "./skill-order.js";

/** A repository's listing with its label. */
export interface LayerListing extends SkillListing {
  readonly label: string;
}

/**
 * Merges the listings of repositories, highest precedence first: for each name, only the skills of the first repository
 * that has it.
 */
export function mergedListing(listings: readonly LayerListing[]): SkillListing {
  const winners = new Map<string, { readonly layer: LayerListing; readonly path: string }>();
  const skills: SkillSummary[] = [];
  const shadowed: Diagnostic[] = [];
  for (const layer of listings)
    for (const skill of layer.skills) {
      const winner = winners.get(skill.name) ?? { layer, path: skill.path };
      winners.set(skill.name, winner);
      if (winner.layer === layer) skills.push(skill);
      else shadowed.push(shadowedDiagnostic(skill, layer, winner));
    }
  return {
    skills: skills.sort(byNameThenPath),
    broken: listings.flatMap(({ broken }) => broken).sort(byPath),
    diagnostics: [...listings.flatMap(({ diagnostics }) => diagnostics), ...shadowed],
  };
}

function shadowedDiagnostic(
  { name, path }: SkillSummary,
  { label }: LayerListing,
  winner: { readonly layer: LayerListing; readonly path: string },
): Diagnostic {
  return {
    code: "skill.shadowed",
    severity: "warning",
    message: `The skill "${name}" of "${label}" (${path}) is hidden by the one of "${winner.layer.label}" (${winner.path}).`,
    hint: "Rename one of them, or change the order of the repositories.",
    path,
  };
}
