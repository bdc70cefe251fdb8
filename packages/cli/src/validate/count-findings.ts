import { counted } from "../terminal/amounts.js";
import type { JudgedSkill } from "./judged-skill.js";
import type { ValidationTotals } from "./validation-report.js";

export function noFindings(): ValidationTotals {
  return { skills: 0, valid: 0, errors: 0, warnings: 0, notes: 0 };
}

/** Adds one skill to the totals. */
export function countFindings(totals: ValidationTotals, judged: JudgedSkill): void {
  totals.skills++;
  if (judged.valid) totals.valid++;
  for (const { finding } of judged.findings)
    if (finding.severity === "error") totals.errors++;
    else if (finding.severity === "warning") totals.warnings++;
    else totals.notes++;
}

/** `2 errors, 1 note`; nothing for what there is none of. */
export function countedFindings({ errors, warnings, notes }: ValidationTotals): string {
  const counts = { error: errors, warning: warnings, note: notes };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([thing, count]) => counted(count, thing))
    .join(", ");
}
