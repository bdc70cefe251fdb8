import { type SkillPlace, wasAsked } from "@skillwright/config";
import type { CatalogSkill, CatalogSnapshot } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { counted } from "../terminal/amounts.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import { cutToWidth, padToWidth, textWidth } from "../terminal/text-width.js";

type Paper = Pick<CliContext, "style" | "width">;

/** The catalogue for people: one line per skill, then what is broken, hidden or missing. */
export function listText(
  places: readonly SkillPlace[],
  snapshot: CatalogSnapshot,
  paper: Paper,
): readonly string[] {
  const missing = places.filter((place) => wasAsked(place) && !place.found);
  return [
    ...(snapshot.skills.length > 0 ? skillLines(snapshot.skills, paper) : nothingFound(places, paper)),
    ...brokenLines(snapshot, paper),
    ...section(
      "Notes",
      snapshot.diagnostics.flatMap((found) => diagnosticLines(found, paper.style)),
      paper,
    ),
    ...missing.map(
      ({ source }) => `${paper.style.yellow("warning")} The folder ${shownLine(source)} does not exist.`,
    ),
    "",
    summary(snapshot),
  ];
}

function skillLines(skills: readonly CatalogSkill[], { style, width }: Paper): string[] {
  const nameWidth = Math.min(32, Math.max(...skills.map(({ name }) => textWidth(shownLine(name)))));
  const sourceWidth = Math.min(28, Math.max(...skills.map(({ source }) => textWidth(shownLine(source)))));
  return skills.map((skill) => {
    const name = padToWidth(cutToWidth(shownLine(skill.name), nameWidth), nameWidth);
    const source = padToWidth(cutToWidth(shownLine(skill.source), sourceWidth), sourceWidth);
    const rest = width - nameWidth - sourceWidth - 4;
    const description = cutToWidth(shownLine(skill.description), Math.max(10, rest));
    return `${style.bold(name)}  ${style.dim(source)}  ${description}`;
  });
}

function nothingFound(places: readonly SkillPlace[], { style }: Paper): string[] {
  return [
    "No skills were found. These places were searched:",
    ...places.map(
      ({ source, root, found }) => `  ${shownLine(source)}${style.dim(found ? "" : ` (no folder ${root})`)}`,
    ),
    "Give a folder with --skills DIR, or add a skill to .skillwright/skills.",
  ];
}

function brokenLines({ broken }: CatalogSnapshot, paper: Paper): string[] {
  const { style } = paper;
  const lines = broken.flatMap(({ source, path, diagnostics }) => [
    `  ${style.bold(shownLine(path))}  ${style.dim(shownLine(source))}`,
    ...diagnostics
      .filter(({ severity }) => severity === "error")
      .flatMap((found) => diagnosticLines(found, style).map((line) => `  ${line}`)),
  ]);
  return section("Broken", lines, paper);
}

function section(title: string, lines: readonly string[], { style }: Paper): string[] {
  return lines.length === 0 ? [] : ["", style.bold(title), ...lines];
}

function summary({ skills, broken, diagnostics }: CatalogSnapshot): string {
  const hidden = diagnostics.filter(({ code }) => code === "skill.shadowed").length;
  const parts = [counted(skills.length, "skill")];
  if (broken.length > 0) parts.push(`${broken.length} broken`);
  if (hidden > 0) parts.push(`${hidden} hidden`);
  return parts.join(", ");
}
