import type { JsonObject, JsonValue } from "../../json-value.js";
import { readYamlMapping } from "../yaml-mapping.js";
import { flagValue, mapEntries, type ReportField, textList, textValue } from "./field-values.js";

/** Requirements and presentation of a skill in the format of OpenClaw and ClawHub. Parsing them has no effect. */
export interface OpenClawFields {
  /** The key that held the block; the newest key name takes precedence. */
  readonly key: (typeof KEYS)[number];
  /** Programs that must all be installed. */
  readonly bins: readonly string[];
  /** Programs of which at least one must be installed. */
  readonly anyBins: readonly string[];
  /** Environment variables that must be set. */
  readonly env: readonly string[];
  /** Environment variables of which at least one must be set. */
  readonly anyEnv: readonly string[];
  /** Paths in the client's configuration that must be true. */
  readonly config: readonly string[];
  /** Operating systems by Node's names (`darwin`, `linux`, `win32`). Empty means all. */
  readonly os: readonly string[];
  /** Offers the skill even where other requirements are not met. Defaults to false. */
  readonly always: boolean;
  /** The variable that receives the skill's configured key. */
  readonly primaryEnv?: string;
  readonly envVars: readonly SkillVariable[];
  /** Install instructions for missing programs, exactly as written. They are never run. */
  readonly install: readonly JsonValue[];
  /** The name of the skill in a client's configuration. */
  readonly skillKey?: string;
  readonly emoji?: string;
  readonly homepage?: string;
}

export interface SkillVariable {
  readonly name: string;
  /** Defaults to true. */
  readonly required: boolean;
  readonly description?: string;
}

const KEYS = ["openclaw", "clawdbot", "moltbot", "clawdis"] as const;

/**
 * Reads the block of `metadata` under one of its four names. The block, or all of `metadata`, may be JSON in a text.
 */
export function openClawFields(
  metadata: JsonValue | undefined,
  report: ReportField,
): OpenClawFields | undefined {
  const blocks = asMap(metadata);
  const key = KEYS.find((one) => blocks !== undefined && Object.hasOwn(blocks, one));
  if (blocks === undefined || key === undefined) return undefined;
  const at = `metadata.${key}`;
  const block = asMap(blocks[key]);
  if (block === undefined) return void report(at, "a map");
  const fields = new Map(Object.entries(block));
  const needs = new Map(mapEntries(fields.get("requires"), `${at}.requires`, report));
  const list = (name: string) => textList(needs.get(name), `${at}.requires.${name}`, report);
  const { install = null } = block;
  return {
    key,
    bins: list("bins"),
    anyBins: list("anyBins"),
    env: list("env"),
    anyEnv: list("anyEnv"),
    config: list("config"),
    os: systems(textList(fields.get("os"), `${at}.os`, report)),
    always: flagValue(fields.get("always"), `${at}.always`, report) ?? false,
    envVars: variables(fields.get("envVars"), `${at}.envVars`, report),
    install: Array.isArray(install) ? install : install === null ? [] : [install],
    ...texts(fields, at, report),
  };
}

function asMap(value: JsonValue | undefined): JsonObject | undefined {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  if (typeof value !== "string" || !/^\s*\{/.test(value)) return undefined;
  const read = readYamlMapping(value);
  return read.kind === "mapping"
    ? Object.fromEntries(read.entries.map((entry) => [entry.key, entry.value]))
    : undefined;
}

const SYSTEMS = new Map([
  ["windows", "win32"],
  ["macos", "darwin"],
  ["mac", "darwin"],
]);

function systems(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => SYSTEMS.get(name.toLowerCase()) ?? name))];
}

function variables(
  value: JsonValue | undefined,
  field: string,
  report: ReportField,
): readonly SkillVariable[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).flatMap((item, index) => {
    const at = `${field}[${index}]`;
    if (typeof item === "string") return [{ name: item, required: true }];
    const fields = new Map(mapEntries(item, at, report));
    const name = textValue(fields.get("name"), `${at}.name`, report);
    const description = textValue(fields.get("description"), `${at}.description`, report);
    const required = flagValue(fields.get("required"), `${at}.required`, report) ?? true;
    return name === undefined ? [] : [{ name, required, ...(description && { description }) }];
  });
}

function texts(fields: ReadonlyMap<string, JsonValue>, at: string, report: ReportField) {
  const names = ["primaryEnv", "skillKey", "emoji", "homepage"] as const;
  const read = names.map((name) => [name, textValue(fields.get(name), `${at}.${name}`, report)] as const);
  return Object.fromEntries(read.filter(([, text]) => text !== undefined)) as Partial<
    Record<(typeof names)[number], string>
  >;
}
