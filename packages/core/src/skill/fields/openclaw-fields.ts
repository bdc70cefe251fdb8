import type { JsonObject, JsonValue } from "../../json-value.js";
import { readYamlMapping } from "../yaml-mapping.js";
import { flagValue, mapEntries, type ReportField, textList, textValue } from "./field-values.js";

/** What a skill needs before it can work, and how it shows, as OpenClaw and ClawHub write it. Nothing here is acted upon. */
export interface OpenClawFields {
  /** The key it stood under, its newest name first. */
  readonly key: (typeof KEYS)[number];
  /** Programs that must all be there. */
  readonly bins: readonly string[];
  /** Programs of which one must be there. */
  readonly anyBins: readonly string[];
  /** Environment variables that must be set. */
  readonly env: readonly string[];
  /** Environment variables of which one must be set. */
  readonly anyEnv: readonly string[];
  /** Paths in the client's configuration that must be true. */
  readonly config: readonly string[];
  /** Names of operating systems as Node has them (`darwin`, `linux`, `win32`); none means all. */
  readonly os: readonly string[];
  /** Offered whatever else is missing. False by default. */
  readonly always: boolean;
  /** The variable that a single configured key is put into. */
  readonly primaryEnv?: string;
  readonly envVars: readonly SkillVariable[];
  /** How the missing programs can be installed: inert, as written. */
  readonly install: readonly JsonValue[];
  /** The name under which a client's configuration has the skill. */
  readonly skillKey?: string;
  readonly emoji?: string;
  readonly homepage?: string;
}

export interface SkillVariable {
  readonly name: string;
  /** True unless the skill says otherwise. */
  readonly required: boolean;
  readonly description?: string;
}

const KEYS = ["openclaw", "clawdbot", "moltbot", "clawdis"] as const;

/** The block of `metadata` under one of its four names; it, or all of `metadata`, may be JSON in a text. */
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
