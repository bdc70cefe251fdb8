import { mapEntries, type ReportField } from "./field-values.js";
import type { FrontmatterField } from "./find-field.js";

/**
 * Returns `metadata` in the standard's form, where every value is a text: scalars as written, `""` for null, JSON for
 * nested values.
 */
export function metadataTexts(
  field: FrontmatterField | undefined,
  report: ReportField,
): Readonly<Record<string, string>> {
  const entries = mapEntries(field?.value, "metadata", report).map(([key, inner]) => {
    if (inner === null) return [key, ""];
    if (typeof inner === "object") return [key, JSON.stringify(inner)];
    return [key, ownText(field?.texts, key) ?? String(inner)];
  });
  return Object.fromEntries(entries);
}

function ownText(texts: Readonly<Record<string, string>> | undefined, key: string): string | undefined {
  return texts !== undefined && Object.hasOwn(texts, key) ? texts[key] : undefined;
}
