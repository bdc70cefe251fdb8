const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };

/** Parses `500ms`, `30s`, `1.5m` or `30` (seconds) to milliseconds; `undefined` for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text.trim()) ?? [];
  return amount === undefined ? undefined : Math.round(Number(amount) * (UNITS[unit] ?? 0));
}
