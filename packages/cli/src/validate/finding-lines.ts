import type { Severity } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { CliContext } from "../cli-context.js";
import { severityWord } from "../terminal/severity-word.js";
import { sourceWindow } from "../terminal/source-window.js";
import type { Style } from "../terminal/style.js";
import type { JudgedSkill, PlacedFinding } from "./judged-skill.js";

const INDENT = " ".repeat(10);
/** Applies even where the width is unlimited: a line of a file may have a megabyte. */
const MAX_COLUMNS = 140;

/**
 * Findings for people, grouped by file. Findings at one position are shown together above its line; a hint that applies
 * to several findings of a file is shown once, below the first of them.
 */
export function findingLines(
  judged: Pick<JudgedSkill, "findings">,
  paper: Pick<CliContext, "style" | "width">,
): string[] {
  const files = neighbours(judged.findings, ({ file }) => file);
  return files.flatMap((findings) => {
    const told = new Set<string>();
    return [
      paper.style.bold(shownLine(findings[0].file)),
      ...neighbours(findings, placeOf).flatMap((place) => placeLines(place, told, paper)),
      "",
    ];
  });
}

type Group<T> = [T, ...T[]];

function neighbours<T>(items: readonly T[], keyOf: (item: T) => string): Group<T>[] {
  const groups: Group<T>[] = [];
  for (const item of items) {
    const group = groups.at(-1);
    if (group && keyOf(group[0]) === keyOf(item)) group.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** Equal for findings at the same line and column, with the same text to show. */
function placeOf({ finding: { line, column }, source }: PlacedFinding): string {
  return JSON.stringify([line, column, source]);
}

function placeLines(
  place: Readonly<Group<PlacedFinding>>,
  told: Set<string>,
  { style, width }: Pick<CliContext, "style" | "width">,
): string[] {
  const hints = new Set(place.map(({ finding }) => finding.hint).filter((hint) => !told.has(hint)));
  for (const hint of hints) told.add(hint);
  return [
    ...place.map((found) => messageLine(found, style)),
    ...sourceLines(place[0], style, width),
    ...[...hints].map((hint) => `${INDENT}${style.dim(shownLine(hint))}`),
  ];
}

function messageLine({ finding }: PlacedFinding, style: Style): string {
  const { code, severity, message, line, column } = finding;
  const place = line === undefined ? "" : style.dim(` ${line}:${column ?? 1}`);
  return `  ${severityWord(severity, style)}${place} ${shownLine(message)} ${style.dim(code)}`;
}

function sourceLines({ finding, source }: PlacedFinding, style: Style, width: number): string[] {
  if (!source || source.text.trim() === "") return [];
  const number = finding.line === undefined ? "" : String(finding.line);
  const gutter = `${INDENT}${number} | `;
  const columns = Math.max(20, Math.min(width, MAX_COLUMNS) - gutter.length);
  const { text, caret } = sourceWindow(source.text, source.column, columns);
  const line = `${style.dim(gutter)}${text}`;
  if (caret === undefined) return [line];
  const below = `${INDENT}${" ".repeat(number.length)} | `;
  return [line, `${style.dim(below)}${" ".repeat(caret)}${caretMark(finding.severity, style)}`];
}

function caretMark(severity: Severity, style: Style): string {
  if (severity === "info") return style.cyan("^");
  return severity === "error" ? style.red("^") : style.yellow("^");
}
