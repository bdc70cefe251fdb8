import type { Severity, ValidationProfile } from "@skillwright/core";
import type { JudgedSkill } from "./judged-skill.js";

/** One way of printing what was found. */
export interface ValidationReport {
  /** Called once a skill, in the order of their paths. */
  skill(judged: JudgedSkill): void;
  end(result: ValidationResult): void;
}

export interface ValidationResult {
  readonly totals: ValidationTotals;
  /** What the exit code says. */
  readonly passed: boolean;
  /** From `--max-warnings`, where there are more. */
  readonly warningsAllowed: number | undefined;
  readonly durationMs: number;
}

/** Counted before anything is left out of the report. */
export interface ValidationTotals {
  skills: number;
  valid: number;
  errors: number;
  warnings: number;
  notes: number;
  /** By code: how often, and at the strongest level it had. */
  readonly rules: Record<string, RuleCount>;
}

interface RuleCount {
  readonly severity: Severity;
  readonly count: number;
}

export interface ReportOptions {
  /** As they were given. */
  readonly paths: readonly string[];
  readonly profile: ValidationProfile;
  readonly lint: boolean;
  /** Errors only; all is counted nonetheless. */
  readonly quiet: boolean;
}
