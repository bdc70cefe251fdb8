import type { JsonValue } from "../../json-value.js";

/** Reports a value that cannot be used: its location, such as `executable.entry`, and what is expected there. */
export type ReportField = (field: string, wanted: string) => void;

/**
 * Returns a scalar as text; `undefined` for a missing value, null and the empty text. Maps and lists also give
 * `undefined` and are reported.
 */
export function textValue(
  value: JsonValue | undefined,
  field: string,
  report: ReportField,
): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "object") return void report(field, "text");
  return String(value).trim() || undefined;
}

const YES = new Set(["true", "yes", "on", "1"]);
const NO = new Set(["false", "no", "off", "0"]);

/** Accepts YAML's booleans, and, like several clients, `yes`, `on`, `1` and their opposites in any case. */
export function flagValue(
  value: JsonValue | undefined,
  field: string,
  report: ReportField,
): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  const written = typeof value === "object" ? "" : String(value).trim().toLowerCase();
  if (YES.has(written)) return true;
  if (NO.has(written)) return false;
  return void report(field, "true or false");
}

/** Returns the texts of a list; a single text counts as a list of one. Other values are left out and reported. */
export function textList(
  value: JsonValue | undefined,
  field: string,
  report: ReportField,
): readonly string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).flatMap((item, index) => {
    const text = textValue(item, Array.isArray(value) ? `${field}[${index}]` : field, report);
    return text === undefined ? [] : [text];
  });
}

/** Returns the entries of a map. Anything else gives none and is reported. */
export function mapEntries(
  value: JsonValue | undefined,
  field: string,
  report: ReportField,
): readonly (readonly [key: string, value: JsonValue])[] {
  if (value === undefined || value === null) return [];
  if (typeof value === "object" && !Array.isArray(value)) return Object.entries(value);
  report(field, "a map");
  return [];
}
