import { type Diagnostic, type RunLimits, SkillError } from "@skillwright/core";
import type { RunCommand } from "@skillwright/core/adapter";
import type { ChangeableLimits } from "../exec/change-limits.js";

export interface LimitPlan {
  readonly container: Pick<RunLimits, keyof ChangeableLimits>;
  /** Limit of each process. */
  readonly openFiles: number | undefined;
  readonly fileBytes: number | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

const LIMITS = ["memoryBytes", "cpu", "processes", "openFiles", "fileBytes", "diskBytes", "inodes"] as const;
/** The minimum that engines accept. */
const LEAST = new Map<keyof RunLimits, number>([
  ["memoryBytes", 6 * 1024 * 1024],
  ["cpu", 0.01],
]);

/**
 * @param enforced The limits that the runtime's capabilities name.
 * @throws SkillError `INPUT_INVALID` for a limit that is not a positive number, `UNSUPPORTED` for one that is not
 * enforced here.
 */
export function planLimits(
  { limits = {}, bestEffort }: Pick<RunCommand, "limits" | "bestEffort">,
  enforced: readonly (keyof RunLimits)[],
): LimitPlan {
  const asked: { -readonly [limit in keyof RunLimits]?: number } = {};
  const diagnostics: Diagnostic[] = [];
  for (const limit of LIMITS) {
    const value = limits[limit];
    if (value === undefined) continue;
    checkValue(limit, value);
    const why = whyNot(limit, value, enforced);
    if (why === undefined) asked[limit] = value;
    else if (bestEffort) diagnostics.push(notEnforced(limit, value, why));
    else throw unsupported(limit, value, why, enforced);
  }
  const { openFiles, fileBytes, diskBytes: _, inodes: _inodes, ...container } = asked;
  return { container, openFiles, fileBytes, diagnostics };
}

function checkValue(limit: keyof RunLimits, value: number): void {
  const fits =
    limit === "cpu" ? Number.isFinite(value) && value > 0 : Number.isSafeInteger(value) && value > 0;
  if (fits) return;
  throw new SkillError(
    "INPUT_INVALID",
    `The limit ${limit} is ${value}; it must be a ${limit === "cpu" ? "number of cores" : "whole number"} above 0.`,
    { details: { limit, value } },
  );
}

function whyNot(
  limit: keyof RunLimits,
  value: number,
  enforced: readonly (keyof RunLimits)[],
): string | undefined {
  if (limit === "diskBytes")
    return "the size of a workspace is fixed when it is created, by the option storageBytes";
  if (limit === "inodes") return "the maximum number of files of a workspace is fixed when it is created";
  if (!enforced.includes(limit)) return "this engine does not enforce it";
  const least = LEAST.get(limit) ?? 0;
  return value < least ? `engines accept no less than ${least}` : undefined;
}

function unsupported(
  limit: keyof RunLimits,
  value: number,
  why: string,
  enforced: readonly (keyof RunLimits)[],
): SkillError {
  return new SkillError(
    "UNSUPPORTED",
    `The Docker runtime cannot enforce the limit ${limit} of ${value} for a run: ${why}. It enforces ` +
      `${enforced.join(", ") || "none"}. Leave the limit out, or set bestEffort to run without it and get a diagnostic.`,
    { details: { limit, value, enforced } },
  );
}

function notEnforced(limit: keyof RunLimits, value: number, why: string): Diagnostic {
  return {
    code: "limit.not-enforced",
    severity: "warning",
    message: `The limit ${limit} of ${value} was not enforced: ${why}.`,
    hint: "Use a runtime whose capabilities include this limit, or remove the limit.",
  };
}
