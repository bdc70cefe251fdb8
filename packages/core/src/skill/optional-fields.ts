import type { Diagnostic, DiagnosticText } from "../diagnostic.js";
import { isStructured, writtenText } from "./field-text.js";
import { skillFileDiagnostic } from "./skill-file-diagnostic.js";
import type { YamlEntry } from "./yaml-mapping.js";

/** The six fields of the standard. */
const STANDARD_FIELDS: ReadonlySet<string> = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
]);

/** Checks the fields other than name and description, and unknown fields, against the standard. */
export function* optionalFieldDiagnostics(
  entries: ReadonlyMap<string, YamlEntry>,
): Generator<Diagnostic, void, undefined> {
  for (const entry of entries.values())
    if (!STANDARD_FIELDS.has(entry.key)) yield finding("field.unknown", unknownField(entry.key), entry);
  for (const [key, check] of CHECKS) {
    const entry = entries.get(key);
    if (entry) for (const [code, text] of check(entry)) yield finding(`${key}.${code}`, text, entry);
  }
}

function unknownField(key: string): DiagnosticText {
  const lower = key.toLowerCase();
  const hint = STANDARD_FIELDS.has(lower)
    ? `Write it in lower case: \`${lower}\`.`
    : "Move it into `metadata`, as text.";
  return ["warning", `The field "${key}" is not in the standard.`, hint];
}

type Finding = readonly [code: string, text: DiagnosticText];

const CHECKS: readonly (readonly [key: string, check: (entry: YamlEntry) => readonly Finding[]])[] = [
  ["license", license],
  ["compatibility", compatibility],
  ["allowed-tools", allowedTools],
  ["metadata", metadata],
];

function license(entry: YamlEntry): readonly Finding[] {
  if (!isStructured(entry)) return [];
  return [["not-string", ["warning", "`license` is not text.", "Write a short name, such as MIT."]]];
}

function compatibility(entry: YamlEntry): readonly Finding[] {
  const length = [...writtenText(entry)].length;
  const code = isStructured(entry) ? "not-string" : length === 0 ? "empty" : length > 500 ? "too-long" : "";
  if (!code) return [];
  const message = "`compatibility` is not a text of 1 to 500 characters.";
  return [[code, ["warning", message, "Say what it needs in one or two lines, or remove the field."]]];
}

function allowedTools(entry: YamlEntry): readonly Finding[] {
  const hint = "Write one text with spaces between the tools, such as `Bash(git:*) Read`.";
  if (isStructured(entry)) return [["not-string", ["warning", "`allowed-tools` is not text.", hint]]];
  const outside = writtenText(entry).replace(/\([^()]*\)/g, "");
  const message = "`allowed-tools` has commas between the tools; the standard requires spaces.";
  return outside.includes(",") ? [["comma-separated", ["info", message, hint]]] : [];
}

function metadata({ value }: YamlEntry): readonly Finding[] {
  if (value === null) return [["null", ["info", "`metadata` is empty.", "Add entries or remove the field."]]];
  const hint = "Write `key: value` lines below it, indented by spaces.";
  if (typeof value !== "object" || Array.isArray(value))
    return [["not-mapping", ["warning", "`metadata` is not a map.", hint]]];
  return Object.entries(value)
    .filter(([, inner]) => typeof inner === "object" && inner !== null)
    .map(([key]) => {
      const message = `\`metadata.${key}\` is a map or a list.`;
      return ["value-not-string", ["warning", message, "Write it as one quoted text, for example as JSON."]];
    });
}

function finding(code: string, [severity, message, hint]: DiagnosticText, entry: YamlEntry): Diagnostic {
  return skillFileDiagnostic(code, severity, message, hint, entry);
}
