import { shownLine } from "@skillwright/core/adapter";
import type { Style } from "../terminal/style.js";
import { padToWidth, textWidth } from "../terminal/text-width.js";
import type { Finding } from "./finding.js";

/** The findings line by line, each with its remedy, and the verdict. */
export function doctorText(
  machine: readonly Finding[],
  places: readonly Finding[],
  style: Style,
): readonly string[] {
  return [
    style.bold("This machine"),
    ...findingLines(machine, style),
    "",
    style.bold("Skills"),
    ...findingLines(places, style),
    "",
    verdict([...machine, ...places], style),
  ];
}

function findingLines(findings: readonly Finding[], style: Style): string[] {
  const width = Math.max(...findings.map(({ check }) => textWidth(shownLine(check))));
  const indent = " ".repeat(width + 6);
  return findings.flatMap(({ check, state, message, remedy, details = [] }) => [
    `  ${mark(state, style)} ${padToWidth(shownLine(check), width)}  ${shownLine(message)}`,
    ...details.map((line) => `${indent}${shownLine(line)}`),
    ...(remedy === undefined ? [] : [`${indent}${style.dim(shownLine(remedy))}`]),
  ]);
}

function mark(state: Finding["state"], style: Style): string {
  if (state === "ok") return style.green("✔");
  return state === "limited" ? style.yellow("!") : style.red("✘");
}

function verdict(findings: readonly Finding[], style: Style): string {
  const missing = findings.filter(({ state }) => state === "missing").map(({ check }) => check);
  const limited = findings.filter(({ state }) => state === "limited").length;
  if (missing.length > 0) return style.red(`Not ready, missing: ${missing.join(", ")}.`);
  if (limited === 0) return style.green("Ready.");
  return `${style.green("Ready")}, with ${limited === 1 ? "one warning" : `${limited} warnings`} marked ${style.yellow("!")}.`;
}

/** True where nothing required is missing. */
export function isReady(findings: readonly Finding[]): boolean {
  return findings.every(({ state }) => state !== "missing");
}
