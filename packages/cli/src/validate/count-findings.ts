import type { Severity } from "@skillwright/core";
import { counted } from "../terminal/amounts.js";
import type { JudgedSkill } from "./judged-skill.js";
import type { ValidationTotals } from "./validation-report.js";

export function noFindings(): ValidationTotals {
  return { skills: 0, valid: 0, errors: 0, warnings: 0, notes: 0, rules: {} };
}

/** Adds one skill to the totals. */
export function countFindings(totals: ValidationTotals, judged: JudgedSkill): void {
  totals.skills++;
  if (judged.valid) totals.valid++;
  for (const { finding } of judged.findings) {
    if (finding.severity === "error") totals.errors++;
    else if (finding.severity === "warning") totals.warnings++;
    else totals.notes++;
    const { severity, count } = totals.rules[finding.code] ?? { severity: finding.severity, count: 0 };
    totals.rules[finding.code] = { severity: stronger(severity, finding.severity), count: count + 1 };
  }
}

function stronger(one: Severity, other: Severity): Severity {
  return SEVERITIES.indexOf(one) < SEVERITIES.indexOf(other) ? one : other;
}

/** Highest severity first. */
export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

/** `2 errors, 1 note`; counts of zero are omitted. */
export function countedFindings({ errors, warnings, notes }: ValidationTotals): string {
  const counts = { error: errors, warning: warnings, note: notes };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([thing, count]) => counted(count, thing))
    .join(", ");
}
