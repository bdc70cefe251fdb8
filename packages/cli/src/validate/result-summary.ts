import { counted, formatDuration } from "../terminal/amounts.js";
import type { Style } from "../terminal/style.js";
import { countedFindings } from "./count-findings.js";
import type { ValidationResult } from "./validation-report.js";

/** One line: how many skills there are, how many are not valid, what was found and how long it took. */
export function resultSummary(result: ValidationResult, style: Style): string {
  const { totals, passed, warningsAllowed, durationMs } = result;
  const { skills, valid } = totals;
  const counts = countedFindings(totals);
  const time = style.dim(` (${formatDuration(durationMs)})`);
  const tooMany =
    warningsAllowed === undefined
      ? ""
      : `; more than ${counted(warningsAllowed, "warning")}, the most allowed`;
  const mark = passed ? style.green("✔") : style.red("✘");
  if (valid === skills)
    return `${mark} ${counted(skills, "skill")} valid${counts && `, ${counts}`}${tooMany}${time}`;
  const invalid = (skills - valid).toLocaleString("en");
  return `${mark} ${invalid} of ${counted(skills, "skill")} not valid: ${counts}${tooMany}${time}`;
}

/** For when there was nothing to judge. */
export function nothingFound(paths: readonly string[]): string {
  return `There is no SKILL.md in ${paths.join(", ")} or below.`;
}
