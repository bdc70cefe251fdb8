import type { Diagnostic } from "../../diagnostic.js";
import type { JsonObject, JsonValue } from "../../json-value.js";
import { type FilePosition, skillFileDiagnostic } from "../skill-file-diagnostic.js";
import { allowedTools } from "./allowed-tools.js";
import {
  executable,
  parameters,
  returns,
  type SkillExecutable,
  type SkillParameter,
  type SkillReturn,
} from "./executable-fields.js";
import { flagValue, textList, textValue } from "./field-values.js";
import { type FrontmatterField, findField } from "./find-field.js";
import { metadataTexts } from "./metadata-texts.js";
import { type OpenClawFields, openClawFields } from "./openclaw-fields.js";
import { type SkillTrigger, triggers } from "./triggers.js";

/**
 * The optional fields of the standard and of well-known clients, typed. Everything here is told, nothing is acted upon;
 * `frontmatter` keeps every field as it was written. Source: the standard, and the vendors' extensions.
 */
export interface SkillFields {
  readonly license?: string;
  readonly compatibility?: string;
  /** The standard's view of `metadata`: texts. A nested value is there as JSON. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Tools the skill would like to use unasked. Never a grant, and never a restriction. */
  readonly allowedTools: readonly string[];
  readonly toolHints: readonly string[];
  /** True where only a person may start the skill: it is not shown to the model. */
  readonly disableModelInvocation: boolean;
  /** False where only the model may start it. True by default. */
  readonly userInvocable: boolean;
  /** Such as `knowledge` or `executable`; the latter wherever `executable` is given and the skill does not say. */
  readonly kind?: string;
  readonly parameters: Readonly<Record<string, SkillParameter>>;
  readonly returns: Readonly<Record<string, SkillReturn>>;
  readonly executable?: SkillExecutable;
  readonly triggers: readonly SkillTrigger[];
  readonly openclaw?: OpenClawFields;
}

/**
 * The typed fields of a header that has been read, for whoever holds a summary. Values of another type than theirs are
 * left out. Numbers are printed as JSON has them: `version: 1.0` is `1` here, while `parseSkill` keeps `1.0`.
 */
export function skillFields(frontmatter: JsonObject): SkillFields {
  const fields = new Map(Object.entries(frontmatter).map(([key, value]) => [key, { value }]));
  return readSkillFields(fields).fields;
}

/** The typed fields, and a warning for each value that is left out because it is not what its field is for. */
export function readSkillFields(fields: ReadonlyMap<string, FrontmatterField>): {
  readonly fields: SkillFields;
  readonly diagnostics: readonly Diagnostic[];
} {
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
      toolHints: textList(value("toolHints"), "toolHints", report),
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

/** `3.10` is a text here, not the number 3.1. */
function asWritten(field: FrontmatterField | undefined): JsonValue | undefined {
  const value = field?.value;
  return typeof value === "object" ? value : (field?.text ?? value);
}

function ignored(field: string, wanted: string, place: FilePosition | undefined): Diagnostic {
  return skillFileDiagnostic(
    "field.ignored",
    "warning",
    `\`${field}\` is not ${wanted}; it is left out.`,
    `Write ${wanted} there, or drop the field.`,
    place,
  );
}
