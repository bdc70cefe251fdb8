import type { JsonValue } from "../../json-value.js";
import { flagValue, mapEntries, type ReportField, textList, textValue } from "./field-values.js";

/** How an executable skill is started: `runtime entry`, in the skill's directory. */
export interface SkillExecutable {
  /** Interpreter such as `python`, `node` or `bash`. Without one, the entry is the command. */
  readonly runtime?: string;
  readonly entry: string;
  /** Milliseconds. The field itself is in seconds. */
  readonly timeoutMs?: number;
}

export interface SkillParameter {
  readonly type?: string;
  readonly description?: string;
  /** Defaults to false. */
  readonly required: boolean;
  /** The allowed values. An empty list allows every value. */
  readonly enum: readonly string[];
}

export interface SkillReturn {
  readonly type?: string;
  readonly description?: string;
}

/** Reads the field `executable`. Without an entry it is reported and ignored. */
export function executable(value: JsonValue | undefined, report: ReportField): SkillExecutable | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = new Map(mapEntries(value, "executable", report));
  const runtime = textValue(fields.get("runtime"), "executable.runtime", report);
  const entry = textValue(fields.get("entry"), "executable.entry", report);
  const timeoutMs = milliseconds(fields.get("timeout"), report);
  if (entry === undefined) return fields.size === 0 ? undefined : void report("executable.entry", "a path");
  return { ...(runtime && { runtime }), entry, ...(timeoutMs && { timeoutMs }) };
}

export function parameters(
  value: JsonValue | undefined,
  report: ReportField,
): Readonly<Record<string, SkillParameter>> {
  return named(value, "parameters", report, (fields, at) => ({
    ...typed(fields, at, report),
    required: flagValue(fields.get("required"), `${at}.required`, report) ?? false,
    enum: textList(fields.get("enum"), `${at}.enum`, report),
  }));
}

export function returns(
  value: JsonValue | undefined,
  report: ReportField,
): Readonly<Record<string, SkillReturn>> {
  return named(value, "returns", report, (fields, at) => typed(fields, at, report));
}

function milliseconds(value: JsonValue | undefined, report: ReportField): number | undefined {
  const written = textValue(value, "executable.timeout", report);
  if (written === undefined) return undefined;
  const seconds = Number(written);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  return void report("executable.timeout", "a number of seconds");
}

/** Reads a map of names to maps. A plain text in place of the inner map is its description. */
function named<Read>(
  value: JsonValue | undefined,
  field: string,
  report: ReportField,
  read: (fields: ReadonlyMap<string, JsonValue>, at: string) => Read,
): Readonly<Record<string, Read>> {
  const entries = mapEntries(value, field, report).map(([name, inner]) => {
    const at = `${field}.${name}`;
    const fields = typeof inner === "string" ? { description: inner } : inner;
    return [name, read(new Map(mapEntries(fields, at, report)), at)] as const;
  });
  return Object.fromEntries(entries);
}

function typed(fields: ReadonlyMap<string, JsonValue>, at: string, report: ReportField): SkillReturn {
  const type = textValue(fields.get("type"), `${at}.type`, report);
  const description = textValue(fields.get("description"), `${at}.description`, report);
  return { ...(type && { type }), ...(description && { description }) };
}
