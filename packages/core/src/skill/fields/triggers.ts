import type { JsonValue } from "../../json-value.js";
import { mapEntries, type ReportField, textList, textValue } from "./field-values.js";

/** A condition under which a skill should be considered. Informational only. */
export interface SkillTrigger {
  /** A type such as `keyword`, `context`, `always` or `file_pattern`; not validated. */
  readonly type: string;
  readonly keywords: readonly string[];
  readonly condition?: string;
  readonly pattern?: string;
}

/** Reads the field `triggers`: maps, or plain texts, which count as keywords. */
export function triggers(value: JsonValue | undefined, report: ReportField): readonly SkillTrigger[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((item, index) => trigger(item, index, report));
}

function trigger(value: JsonValue, index: number, report: ReportField): SkillTrigger {
  if (typeof value !== "object" || value === null) return { type: "keyword", keywords: [String(value)] };
  const at = `triggers[${index}]`;
  const fields = new Map(mapEntries(value, at, report));
  const condition = textValue(fields.get("condition"), `${at}.condition`, report);
  const pattern = textValue(fields.get("pattern"), `${at}.pattern`, report);
  return {
    type: textValue(fields.get("type"), `${at}.type`, report) ?? "keyword",
    keywords: textList(fields.get("keywords"), `${at}.keywords`, report),
    ...(condition && { condition }),
    ...(pattern && { pattern }),
  };
}
