import { SkillError } from "@skillwright/core";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses `500ms`, `30s`, `15m`, `2h`, `1.5d`, or a number of milliseconds.
 * @throws SkillError `CONFIG_INVALID` for anything else and for 0 or less.
 */
export function durationMs(duration: string | number): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(duration).trim());
  const ms =
    typeof duration === "number" ? duration : Number(match?.[1]) * (UNITS[match?.[2] ?? ""] ?? Number.NaN);
  if (Number.isFinite(ms) && ms > 0) return ms;
  throw new SkillError(
    "CONFIG_INVALID",
    `${JSON.stringify(duration)} is not a duration. Write a number and a unit, such as "30s", "15m" or "2h".`,
  );
}
