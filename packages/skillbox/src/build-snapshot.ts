import type { CatalogSkill, CatalogSnapshot, CatalogSource, Diagnostic } from "@skillwright/core";
import { deepFreeze } from "@skillwright/core/adapter";
import { fingerprint } from "./fingerprint.js";
import type { SourceListing } from "./list-sources.js";
import { strongestFirst } from "./named-sources.js";
import { turnTaking } from "./turn-taking.js";

/**
 * Builds the snapshot of the listings: for each name the skill of the strongest source; everything frozen.
 */
export async function buildSnapshot(listings: readonly SourceListing[]): Promise<CatalogSnapshot> {
  const winners = new Map<string, CatalogSkill>();
  const shadowed: Diagnostic[] = [];
  const pause = turnTaking();
  for (const { from, skills } of strongestFirst(listings, (listing) => listing.from))
    for (const summary of skills) {
      const skill = deepFreeze({ ...summary, source: from.source, trusted: from.trusted });
      const winner = winners.get(skill.name);
      if (winner) shadowed.push(shadowedDiagnostic(skill, from, winner));
      else winners.set(skill.name, skill);
      await pause();
    }
  return deepFreeze({
    formatVersion: 1,
    fingerprint: await fingerprint(listings),
    sources: listings.map(sourceOf),
    skills: [...winners.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    broken: listings.flatMap(({ from, broken }) =>
      broken.map((entry) => ({ ...entry, source: from.source })),
    ),
    diagnostics: [...listings.flatMap(({ diagnostics }) => diagnostics), ...shadowed],
  });
}

function sourceOf({ from: { source, trusted }, diagnostics }: SourceListing): CatalogSource {
  const told = new Set(diagnostics.filter(({ severity }) => severity !== "info").map(({ code }) => code));
  const state = told.has("repository.failed")
    ? "unlisted"
    : told.has("repository.stale")
      ? "stale"
      : undefined;
  return { source, trusted, ...(state && { state }) };
}

function shadowedDiagnostic(
  skill: CatalogSkill,
  { hidesOthers }: SourceListing["from"],
  winner: CatalogSkill,
): Diagnostic {
  const rule = !hidesOthers
    ? "This source never hides a skill of another one; rename the other one to use both."
    : winner.trusted && !skill.trusted
      ? "An untrusted skill never hides a trusted one; rename it to use both."
      : "Rename one of them, or change the order of the sources.";
  return {
    code: "skill.shadowed",
    severity: "warning",
    message: `The skill "${skill.name}" of "${skill.source}" (${skill.path}) is hidden by the one of "${winner.source}" (${winner.path}).`,
    hint: rule,
    path: skill.path,
  };
}
