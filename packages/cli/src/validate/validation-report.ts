import type { Severity, ValidationProfile } from "@skillwright/core";
import type { JudgedSkill } from "./judged-skill.js";

/** A format for printing the findings. */
export interface ValidationReport {
  /** Called once per skill, in path order. */
  skill(judged: JudgedSkill): void;
  end(result: ValidationResult): void;
}

export interface ValidationResult {
  readonly totals: ValidationTotals;
  /** Determines the exit code. */
  readonly passed: boolean;
  /** The value of `--max-warnings`, if it was exceeded. */
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
  /** Number of findings by code, each with its highest severity. */
  readonly rules: Record<string, RuleCount>;
}

interface RuleCount {
  readonly severity: Severity;
  readonly count: number;
}

export interface ReportOptions {
  /** Paths as given. */
  readonly paths: readonly string[];
  readonly profile: ValidationProfile;
  readonly lint: boolean;
  /** Reports only errors; all findings are counted nonetheless. */
  readonly quiet: boolean;
}
