import type { Diagnostic } from "@skillwright/core";
import type { SourceListing } from "./list-sources.js";
import type { SkillSwitches } from "./skill-switches.js";

/** Returns the listing without the skills that are switched off, with a diagnostic for each. */
export function enabledSkills(listing: SourceListing, switches: SkillSwitches): SourceListing {
  const off = listing.skills.filter(({ name }) => switches.isOff(name));
  if (off.length === 0) return listing;
  return {
    ...listing,
    skills: listing.skills.filter(({ name }) => !switches.isOff(name)),
    diagnostics: [
      ...listing.diagnostics,
      ...off.map(({ name, path }) => disabled(name, path, listing.from.source)),
    ],
  };
}

function disabled(name: string, path: string, source: string): Diagnostic {
  return {
    code: "skill.disabled",
    severity: "info",
    message: `The skill "${name}" of "${source}" is switched off.`,
    hint: "Switch it on where it was switched off.",
    path,
  };
}
