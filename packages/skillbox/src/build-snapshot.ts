import type { CatalogSkill, CatalogSnapshot, Diagnostic } from "@skillwright/core";
import { deepFreeze } from "./deep-freeze.js";
import { fingerprint } from "./fingerprint.js";
import type { SourceListing } from "./list-sources.js";

/** What the listings amount to: for each name the first trusted skill, else the first; everything frozen. */
export function buildSnapshot(listings: readonly SourceListing[]): CatalogSnapshot {
  const winners = new Map<string, CatalogSkill>();
  const shadowed: Diagnostic[] = [];
  for (const skill of byStrength(listings)) {
    const winner = winners.get(skill.name);
    if (winner) shadowed.push(shadowedDiagnostic(skill, winner));
    else winners.set(skill.name, skill);
  }
  return deepFreeze({
    formatVersion: 1,
    fingerprint: fingerprint(listings),
    sources: listings.map(({ from }) => ({ source: from.source, trusted: from.trusted })),
    skills: [...winners.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    broken: listings.flatMap(({ from, broken }) =>
      broken.map((entry) => ({ ...entry, source: from.source })),
    ),
    diagnostics: [...listings.flatMap(({ diagnostics }) => diagnostics), ...shadowed],
  });
}

function byStrength(listings: readonly SourceListing[]): CatalogSkill[] {
  const all = listings.flatMap(({ from, skills }) =>
    skills.map((skill) => ({ ...skill, source: from.source, trusted: from.trusted })),
  );
  return [...all.filter(({ trusted }) => trusted), ...all.filter(({ trusted }) => !trusted)];
}

function shadowedDiagnostic(skill: CatalogSkill, winner: CatalogSkill): Diagnostic {
  const rule =
    winner.trusted && !skill.trusted
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
