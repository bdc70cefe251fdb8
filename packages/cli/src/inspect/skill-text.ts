import { isSkillDocument, type JsonValue, type Skill, type SkillOrigin } from "@skillwright/core";
import { manifestSize, shownLine } from "@skillwright/core/adapter";
import { needsText } from "../environments/packages-text.js";
import type { SkillNeeds } from "../environments/skill-needs.js";
import { counted, formatBytes } from "../terminal/amounts.js";
import { diagnosticLines } from "../terminal/diagnostic-lines.js";
import { fileLines } from "../terminal/file-lines.js";
import type { Style } from "../terminal/style.js";

/** One skill for people: summary, fields, documents, files, packages, and diagnostics. */
export function skillText(skill: Skill & SkillOrigin, needs: SkillNeeds, style: Style): readonly string[] {
  const { manifest, digest, diagnostics } = skill;
  const documents = manifest.files.filter(({ path }) => isSkillDocument(path));
  const others = manifest.files.filter(({ path }) => !isSkillDocument(path));
  const fields = Object.entries(skill.frontmatter).filter(([key]) => key !== "name" && key !== "description");
  return [
    `${style.bold(shownLine(skill.name))}  ${style.dim(`${shownLine(skill.source)}, ${shownLine(skill.path)}`)}`,
    shownLine(skill.description),
    "",
    ...facts(skill, style),
    ...section(
      "Fields",
      fields.flatMap(([key, value]) => fieldLines(key, value, 1, style)),
      style,
    ),
    ...section("Documents", fileLines(documents, style), style),
    ...section("Files", fileLines(others, style), style),
    ...section("Packages", needsText(needs, style), style),
    ...section(
      "Notes",
      diagnostics.flatMap((found) => diagnosticLines(found, style)),
      style,
    ),
    "",
    `${counted(manifest.files.length, "file")}, ${formatBytes(manifestSize(manifest))}, ${digest}`,
  ];
}

function facts({ trusted, body, version }: Skill & SkillOrigin, style: Style): string[] {
  const lines = body === "" ? 0 : body.split("\n").length;
  const trust = trusted
    ? style.green("yes")
    : `${style.yellow("no")}, it comes with this project and needs approval before it runs`;
  return [
    `  ${style.dim("trusted")}  ${trust}`,
    `  ${style.dim("body")}     ${counted(lines, "line")}, ${counted(body.length, "character")}`,
    ...(version === undefined ? [] : [`  ${style.dim("version")}  ${shownLine(version)}`]),
  ];
}

function fieldLines(key: string, value: JsonValue, depth: number, style: Style): string[] {
  const label = `${"  ".repeat(depth)}${style.dim(`${shownLine(key)}:`)}`;
  if (typeof value !== "object" || value === null) return [`${label} ${shownLine(String(value))}`];
  if (Array.isArray(value) || depth > 4) return [`${label} ${shownLine(JSON.stringify(value))}`];
  return [
    label,
    ...Object.entries(value).flatMap(([name, item]) => fieldLines(name, item, depth + 1, style)),
  ];
}

function section(title: string, lines: readonly string[], style: Style): string[] {
  return lines.length === 0 ? [] : ["", style.bold(title), ...lines];
}
