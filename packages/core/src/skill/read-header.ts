import { CORE_SCHEMA, FAILSAFE_SCHEMA, load, YAMLException } from "js-yaml";
import type { Diagnostic } from "../diagnostic.js";
import type { JsonObject, JsonValue } from "../json-value.js";

/** Longer headers are not parsed at all; the longest of 7,782 real ones is far below. */
export const MAX_HEADER_CHARACTERS = 64 * 1024;

export interface SkillHeader {
  readonly fields: JsonObject;
  /** Scalars as they were written (`0123` stays `0123`), for the fields that are text whatever YAML makes of them. */
  readonly text: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The header's fields. YAML that does not parse is read again entry by entry, and an entry that still fails keeps its
 * raw text (most often an unquoted colon); each repair is a diagnostic. `undefined` when it is no mapping or too long.
 */
export function readHeader(yaml: string): SkillHeader | undefined {
  if (yaml.length > MAX_HEADER_CHARACTERS) return undefined;
  try {
    return parsed(yaml, []);
  } catch (error) {
    return repaired(yaml, error);
  }
}

function parsed(yaml: string, diagnostics: readonly Diagnostic[]): SkillHeader | undefined {
  const value = load(yaml, { schema: CORE_SCHEMA });
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const written = load(yaml, { schema: FAILSAFE_SCHEMA }) as Record<string, unknown>;
  const text = Object.fromEntries(
    Object.entries(written).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
  return { fields: plain(value, 0) as JsonObject, text, diagnostics };
}

/** Copies into objects that only have own, enumerable fields; anything deeper than 32 levels is shown as text. */
function plain(value: unknown, depth: number): JsonValue {
  if (typeof value !== "object" || value === null)
    return typeof value === "number" && !Number.isFinite(value) ? String(value) : (value as JsonValue);
  if (depth > 32) return "...";
  if (Array.isArray(value)) return value.map((item) => plain(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, depth + 1)]));
}

function repaired(yaml: string, cause: unknown): SkillHeader | undefined {
  const fields: [string, JsonValue][] = [];
  const text: [string, string][] = [];
  const line = cause instanceof YAMLException ? (cause.mark?.line ?? 0) + 2 : undefined;
  const reason = cause instanceof YAMLException ? cause.reason : String(cause);
  const diagnostics: Diagnostic[] = [
    {
      code: "yaml.invalid",
      severity: "warning",
      message: `The header is not valid YAML (${reason}); its entries were read one by one.`,
      hint: "Put the value in double quotes, above all where it contains a colon followed by a space.",
      path: "SKILL.md",
      ...(line === undefined ? {} : { line }),
    },
  ];
  for (const entry of entriesOf(yaml)) {
    const whole = tryEntry(entry.source);
    if (whole) {
      fields.push(...Object.entries(whole.fields));
      text.push(...Object.entries(whole.text));
    } else if (entry.value !== "") {
      fields.push([entry.key, entry.value]);
      text.push([entry.key, entry.value]);
    }
  }
  if (fields.length === 0) return undefined;
  return { fields: Object.fromEntries(fields), text: Object.fromEntries(text), diagnostics };
}

function tryEntry(source: string): SkillHeader | undefined {
  try {
    return parsed(source, []);
  } catch {
    return undefined;
  }
}

interface RawEntry {
  key: string;
  source: string;
  value: string;
}

function entriesOf(yaml: string): RawEntry[] {
  const entries: { key: string; lines: string[] }[] = [];
  for (const line of yaml.split("\n")) {
    const key = /^([A-Za-z_][\w-]*)[ \t]*:(?=\s|$)/.exec(line)?.[1];
    if (key) entries.push({ key, lines: [line] });
    else entries.at(-1)?.lines.push(line);
  }
  return entries.map(({ key, lines }) => ({ key, source: lines.join("\n"), value: rawValue(lines) }));
}

/** A value that began on the line of its key; what begins below it is structure that cannot be kept as text. */
function rawValue(lines: readonly string[]): string {
  const first = (lines[0] ?? "").replace(/^[^:]*:/, "").trim();
  if (first === "") return "";
  const joined = [first, ...lines.slice(1).map((line) => line.trim())].filter(Boolean).join(" ");
  return /^(["'])(.*)\1$/s.exec(joined)?.[2] ?? joined;
}
