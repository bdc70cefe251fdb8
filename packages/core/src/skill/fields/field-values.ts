import type { JsonValue } from "../../json-value.js";

/** Told of a value that cannot be used: where it is, such as `executable.entry`, and what should be there. */
export type ReportField = (field: string, wanted: string) => void;

/** A scalar as text; `undefined` for nothing, null and the empty text, and, reported, for maps and lists. */
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

/** YAML's booleans, and `yes`, `on`, `1` and their opposites in any case of letters, as several clients take them. */
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

/** The texts of a list; a single text is a list of one. What is no text in it is left out, and reported. */
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

/** The entries of a map; none, reported, for anything else. */
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
