import type { Diagnostic } from "../diagnostic.js";
import type { JsonValue } from "../json-value.js";
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
    if (!STANDARD_FIELDS.has(entry.key))
      yield skillFileDiagnostic(
        "field.unknown",
        "warning",
        `The field "${entry.key}" is not in the standard.`,
        STANDARD_FIELDS.has(entry.key.toLowerCase())
          ? `Write it in lower case: \`${entry.key.toLowerCase()}\`.`
          : "Move it into `metadata`, as text.",
        entry,
      );
  yield* license(entries.get("license"));
  yield* compatibility(entries.get("compatibility"));
  yield* allowedTools(entries.get("allowed-tools"));
  yield* metadata(entries.get("metadata"));
}

function* license(entry: YamlEntry | undefined): Generator<Diagnostic, void, undefined> {
  if (isStructured(entry))
    yield skillFileDiagnostic(
      "license.not-string",
      "warning",
      "`license` is not text.",
      "Write a short name, such as MIT.",
      entry,
    );
}

function* compatibility(entry: YamlEntry | undefined): Generator<Diagnostic, void, undefined> {
  if (!entry) return;
  const length = [...writtenText(entry)].length;
  const code = isStructured(entry) ? "not-string" : length === 0 ? "empty" : length > 500 ? "too-long" : "";
  if (code)
    yield skillFileDiagnostic(
      `compatibility.${code}`,
      "warning",
      "`compatibility` is not a text of 1 to 500 characters.",
      "Say what it needs in a line or two, or drop it.",
      entry,
    );
}

function* allowedTools(entry: YamlEntry | undefined): Generator<Diagnostic, void, undefined> {
  const hint = "Write one text with spaces between the tools, such as `Bash(git:*) Read`.";
  if (isStructured(entry))
    yield skillFileDiagnostic(
      "allowed-tools.not-string",
      "warning",
      "`allowed-tools` is not text.",
      hint,
      entry,
    );
  else if (
    writtenText(entry)
      .replace(/\([^()]*\)/g, "")
      .includes(",")
  )
    yield skillFileDiagnostic(
      "allowed-tools.comma-separated",
      "info",
      "`allowed-tools` has commas between its tools; the standard has spaces.",
      hint,
      entry,
    );
}

function* metadata(entry: YamlEntry | undefined): Generator<Diagnostic, void, undefined> {
  if (!entry) return;
  if (entry.value === null)
    return yield skillFileDiagnostic(
      "metadata.null",
      "info",
      "`metadata` is empty.",
      "Give it entries or drop it.",
      entry,
    );
  if (!isStructured(entry) || Array.isArray(entry.value))
    return yield skillFileDiagnostic(
      "metadata.not-mapping",
      "warning",
      "`metadata` is not a map.",
      "Write `key: value` lines below it, indented by spaces.",
      entry,
    );
  for (const [key, value] of Object.entries(entry.value as Readonly<Record<string, JsonValue>>))
    if (typeof value === "object" && value !== null)
      yield skillFileDiagnostic(
        "metadata.value-not-string",
        "warning",
        `\`metadata.${key}\` is a map or a list.`,
        "Write it as one quoted text; JSON is fine there.",
        entry,
      );
}
