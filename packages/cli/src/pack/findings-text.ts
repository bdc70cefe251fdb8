import type { CliContext } from "../cli-context.js";
import { counted } from "../terminal/amounts.js";
import { countedFindings, countFindings, noFindings } from "../validate/count-findings.js";
import { findingLines } from "../validate/finding-lines.js";
import type { JudgedSkill } from "../validate/judged-skill.js";

/** The errors that prevented packing, and what to do about them. */
export function notPackedText(judged: JudgedSkill, remedy: string, context: CliContext): readonly string[] {
  const errors = judged.findings.filter(({ finding }) => finding.severity === "error");
  return [
    ...findingLines({ ...judged, findings: errors }, context),
    `${context.style.red("✘")} Not packed: ${counted(errors.length, "error")}. ${remedy}`,
  ];
}

/** The number of findings that did not prevent packing, and the command that shows them; no line if there are none. */
export function remainingText(judged: JudgedSkill, command: string): readonly string[] {
  const totals = noFindings();
  countFindings(totals, judged);
  const counts = countedFindings(totals);
  return counts === "" ? [] : [`  ${counts}: run "${command}" to see them.`];
}
