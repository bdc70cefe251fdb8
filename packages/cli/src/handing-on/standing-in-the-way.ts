import { counted } from "../terminal/amounts.js";
import type { JudgedSkill } from "../validate/judged-skill.js";

export interface Allowed {
  readonly errors: boolean;
  readonly warnings: boolean;
}

/** Findings with which a skill must not be passed on, and their description. */
export interface InTheWay {
  readonly judged: JudgedSkill;
  /** `2 errors`, `1 security warning`. */
  readonly what: string;
  readonly isError: boolean;
}

/**
 * Returns errors, otherwise warnings of the linter, which are about security; `undefined` where they are allowed or
 * there are none.
 */
export function standingInTheWay(judged: JudgedSkill, allowed: Allowed): InTheWay | undefined {
  const of = (severity: string) => judged.findings.filter(({ finding }) => finding.severity === severity);
  const errors = allowed.errors ? [] : of("error");
  if (errors.length > 0)
    return { judged: { ...judged, findings: errors }, what: counted(errors.length, "error"), isError: true };
  const warnings = allowed.warnings
    ? []
    : of("warning").filter(({ finding: { code } }) => code.startsWith("SEC-"));
  if (warnings.length === 0) return undefined;
  const what = counted(warnings.length, "security warning");
  return { judged: { ...judged, findings: warnings }, what, isError: false };
}
