import { counted, formatDuration } from "../terminal/amounts.js";
import { severityWord } from "../terminal/severity-word.js";
import type { Style } from "../terminal/style.js";
import { countedFindings, SEVERITIES } from "./count-findings.js";
import type { ValidationResult } from "./validation-report.js";

/** One line: the number of skills, of invalid ones, of findings, and the duration. */
export function resultSummary(result: ValidationResult, style: Style): string {
  const { totals, passed, warningsAllowed, durationMs } = result;
  const { skills, valid } = totals;
  const counts = countedFindings(totals);
  const time = style.dim(` (${formatDuration(durationMs)})`);
  const tooMany =
    warningsAllowed === undefined ? "" : `; at most ${counted(warningsAllowed, "warning")} allowed`;
  const mark = passed ? style.green("✔") : style.red("✘");
  if (valid === skills)
    return `${mark} ${counted(skills, "skill")} valid${counts && `, ${counts}`}${tooMany}${time}`;
  const invalid = (skills - valid).toLocaleString("en");
  return `${mark} ${invalid} of ${counted(skills, "skill")} not valid: ${counts}${tooMany}${time}`;
}

/** For more than one skill: how often each rule was broken, errors first, the most frequent first. */
export function ruleCounts({ totals }: ValidationResult, quiet: boolean, style: Style): readonly string[] {
  if (totals.skills < 2) return [];
  const shown = Object.entries(totals.rules).filter(([, { severity }]) => !quiet || severity === "error");
  const rules = shown.sort(
    ([oneCode, one], [otherCode, other]) =>
      SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
      other.count - one.count ||
      (oneCode < otherCode ? -1 : 1),
  );
  const width = Math.max(0, ...rules.map(([, { count }]) => count.toLocaleString("en").length));
  return rules.map(
    ([code, { severity, count }]) =>
      `  ${severityWord(severity, style)} ${count.toLocaleString("en").padStart(width)} ${code}`,
  );
}

/** The text where there were no skills to validate. */
export function nothingFound(paths: readonly string[]): string {
  return `No SKILL.md was found in or below ${paths.join(", ")}.`;
}
