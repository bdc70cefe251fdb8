import { type SkillPlace, wasAsked } from "@skillwright/config";
import type { CatalogSnapshot } from "@skillwright/core";
import { counted } from "../terminal/amounts.js";
import type { Finding } from "./finding.js";

/** Reports for each place that is searched for skills how many are used, and which are broken or hidden and why. */
export function checkPlaces(places: readonly SkillPlace[], snapshot: CatalogSnapshot): readonly Finding[] {
  const found = places
    .filter((place) => place.found || wasAsked(place))
    .map((place) => placeFinding(place, snapshot));
  return [...found, ...hiddenFindings(snapshot), ...emptyFinding(snapshot)];
}

function placeFinding({ source, root, trusted, found }: SkillPlace, snapshot: CatalogSnapshot): Finding {
  const check = source;
  if (!found)
    return {
      check,
      state: "limited",
      message: `the folder ${root} does not exist`,
      remedy: "Create it, or remove it from the list of places.",
    };
  const skills = snapshot.skills.filter((skill) => skill.source === source);
  const broken = snapshot.broken.filter((skill) => skill.source === source);
  const parts = [`${counted(skills.length, "skill")} in use`];
  if (broken.length > 0) parts.push(`${broken.length} broken`);
  if (!trusted) parts.push("not trusted: they need approval before they run");
  const message = parts.join(", ");
  if (broken.length === 0) return { check, state: "ok", message };
  return {
    check,
    state: "limited",
    message,
    remedy: 'Run "skillwright validate" to see the lines.',
    details: broken.flatMap(({ path, diagnostics }) =>
      diagnostics
        .filter(({ severity }) => severity === "error")
        .map((reason) => `${path}: ${reason.message} ${reason.hint}`),
    ),
  };
}

function hiddenFindings({ diagnostics }: CatalogSnapshot): Finding[] {
  return diagnostics.map(({ code, severity, message, hint }) => ({
    check: CHECKS.get(code) ?? "catalogue",
    state: severity === "info" ? "ok" : "limited",
    message,
    remedy: hint,
  }));
}

const CHECKS = new Map([
  ["skill.shadowed", "hidden"],
  ["skill.ineligible", "left out"],
  ["variable.blocked", "variables"],
  ["variable.undeclared", "variables"],
  ["variable.untrusted", "variables"],
]);

function emptyFinding({ skills }: CatalogSnapshot): Finding[] {
  if (skills.length > 0) return [];
  const remedy = "Add skills to .skillwright/skills, or give a folder with --skills.";
  return [{ check: "skills", state: "limited", message: "there are none", remedy }];
}
