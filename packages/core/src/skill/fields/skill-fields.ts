import { deepFreeze } from "../../deep-freeze.js";
import type { Diagnostic } from "../../diagnostic.js";
import type { JsonObject, JsonValue } from "../../json-value.js";
import { type FilePosition, skillFileDiagnostic } from "../skill-file-diagnostic.js";
import {
  executable,
  parameters,
  returns,
  type SkillExecutable,
  type SkillParameter,
  type SkillReturn,
} from "./executable-fields.js";
import { flagValue, mapEntries, type ReportField, textList, textValue } from "./field-values.js";
import { type FrontmatterField, findField, spellingsOf } from "./find-field.js";
import { type OpenClawFields, openClawFields } from "./openclaw-fields.js";
import { type SkillTrigger, triggers } from "./triggers.js";

/**
 * The optional fields of the standard and of well-known clients, typed. Reading them has no effect; `frontmatter` keeps
 * every field as written. Source: the standard, and the vendors' extensions.
 */
export interface SkillFields {
  readonly license?: string;
  readonly compatibility?: string;
  /** `metadata` in the standard's form: texts only. A nested value is stored as JSON. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Tools that the skill asks to use without confirmation. This neither grants nor restricts anything. */
  readonly allowedTools: readonly string[];
  readonly toolHints: readonly string[];
  /** True where only a person may start the skill; it is then hidden from the model. */
  readonly disableModelInvocation: boolean;
  /** False where only the model may start it. Defaults to true. */
  readonly userInvocable: boolean;
  /** A kind such as `knowledge` or `executable`. Defaults to `executable` where the field `executable` is present. */
  readonly kind?: string;
  readonly parameters: Readonly<Record<string, SkillParameter>>;
  readonly returns: Readonly<Record<string, SkillReturn>>;
  readonly executable?: SkillExecutable;
  readonly triggers: readonly SkillTrigger[];
  readonly openclaw?: OpenClawFields;
}

/**
 * Returns the typed fields of a parsed header, for callers that hold a summary. Values of the wrong type are left out.
 * Numbers are printed as in JSON: `version: 1.0` is `1` here, while `parseSkill` keeps `1.0`.
 */
export function skillFields(frontmatter: JsonObject): SkillFields {
  const before = known.get(frontmatter);
  if (before) return before;
  const given = new Map(Object.entries(frontmatter).map(([key, value]) => [key, { value }]));
  const { fields } = readSkillFields(given);
  if (Object.isFrozen(frontmatter)) known.set(frontmatter, deepFreeze(fields));
  return fields;
}

/** The fields of frozen headers, which are read many times. */
const known = new WeakMap<JsonObject, SkillFields>();

/** Returns the typed fields, and a warning for each value that is left out because it has the wrong type. */
export function readSkillFields(fields: ReadonlyMap<string, FrontmatterField>): {
  readonly fields: SkillFields;
  readonly diagnostics: readonly Diagnostic[];
} {
  if (!hasKnownField(fields)) return { fields: WITHOUT_FIELDS, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const value = (name: string) => findField(fields, name)?.value;
  const license = text("license");
  const compatibility = text("compatibility");
  const run = executable(value("executable"), report);
  const kind = text("kind") ?? (run && "executable");
  const openclaw = openClawFields(value("metadata"), report);
  return {
    fields: {
      ...(license && { license }),
      ...(compatibility && { compatibility }),
      metadata: metadataTexts(fields.get("metadata"), report),
      allowedTools: allowedTools(value("allowed-tools"), report),
      toolHints: toolHints(value("toolHints"), report),
      disableModelInvocation: flag("disable-model-invocation", false),
      userInvocable: flag("user-invocable", true),
      ...(kind && { kind }),
      parameters: parameters(value("parameters"), report),
      returns: returns(value("returns"), report),
      ...(run && { executable: run }),
      triggers: triggers(value("triggers"), report),
      ...(openclaw && { openclaw }),
    },
    diagnostics,
  };

  function text(name: string): string | undefined {
    return textValue(asWritten(findField(fields, name)), name, report);
  }

  function flag(name: string, otherwise: boolean): boolean {
    return flagValue(value(name), name, report) ?? otherwise;
  }

  function report(field: string, wanted: string): void {
    diagnostics.push(ignored(field, wanted, findField(fields, field.replace(/[.[].*/, ""))));
  }
}

/** Most headers have a name and a description alone; looking for every field would take longer than reading them. */
function hasKnownField(fields: ReadonlyMap<string, FrontmatterField>): boolean {
  for (const key of fields.keys()) if (KNOWN_KEYS.has(key)) return true;
  return false;
}

const WITHOUT_FIELDS: SkillFields = deepFreeze({
  ...{ metadata: {}, allowedTools: [], toolHints: [], disableModelInvocation: false, userInvocable: true },
  ...{ parameters: {}, returns: {}, triggers: [] },
});

const KNOWN_KEYS: ReadonlySet<string> = new Set(
  [
    ...["license", "compatibility", "executable", "kind", "metadata", "allowed-tools", "toolHints"],
    ...["disable-model-invocation", "user-invocable", "parameters", "returns", "triggers"],
  ].flatMap(spellingsOf),
);

/** Keeps `3.10` as text instead of the number 3.1. */
function asWritten(field: FrontmatterField | undefined): JsonValue | undefined {
  const value = field?.value;
  return typeof value === "object" ? value : (field?.text ?? value);
}

function ignored(field: string, wanted: string, place: FilePosition | undefined): Diagnostic {
  return skillFileDiagnostic(
    "field.ignored",
    "warning",
    `\`${field}\` is not ${wanted}; it is left out.`,
    `Write ${wanted}, or remove the field.`,
    place,
  );
}

/** In a list, each text is one tool: no other client separates those. */
function toolHints(value: JsonValue | undefined, report: ReportField): readonly string[] {
  return textList(typeof value === "string" ? splitTools(value) : value, "toolHints", report);
}

/** Parses `allowed-tools` in each of its three forms: a text separated by spaces (the standard) or by commas, or a list. */
function allowedTools(value: JsonValue | undefined, report: ReportField): readonly string[] {
  return textList(value, "allowed-tools", report).flatMap(splitTools);
}

/** Text in parentheses stays together, including commas and spaces; an unclosed parenthesis extends to the end. */
function splitTools(text: string): string[] {
  const tools: string[] = [];
  let tool = "";
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth = Math.max(0, depth - 1);
    if (depth > 0 || !/[\s,]/.test(character)) tool += character;
    else if (tool !== "") {
      tools.push(tool);
      tool = "";
    }
  }
  return tool === "" ? tools : [...tools, tool];
}

/**
 * Returns `metadata` in the standard's form, where every value is a text: scalars as written, `""` for null, JSON for
 * nested values.
 */
function metadataTexts(
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
