import type { Diagnostic } from "../diagnostic.js";
import { isStructured, oneLine, otherCase, writtenText } from "./field-text.js";
import { skillFileDiagnostic } from "./skill-file-diagnostic.js";
import type { YamlEntry } from "./yaml-mapping.js";

const MAX_CHARACTERS = 1024;

/** Returns the description on one line, `""` where there is no usable one, and diagnostics about it. */
export function readDescription(entries: ReadonlyMap<string, YamlEntry>): {
  readonly description: string;
  readonly diagnostics: readonly Diagnostic[];
} {
  const entry = entries.get("description");
  const written = writtenText(entry);
  const description = oneLine(written);
  if (!description) return { description, diagnostics: [absent(entries)] };
  if (written.length <= MAX_CHARACTERS) return { description, diagnostics: [] };
  const length = [...written].length;
  return { description, diagnostics: length > MAX_CHARACTERS ? [tooLong(length, entry)] : [] };
}

function absent(entries: ReadonlyMap<string, YamlEntry>): Diagnostic {
  const entry = entries.get("description");
  const other = entry ? undefined : otherCase(entries, "description");
  if (other)
    return skillFileDiagnostic(
      "description.missing",
      "error",
      `The skill has no description: "${other.key}" is another key.`,
      "Write the key in lower case: `description: ...`.",
      other,
    );
  const [code, message] =
    entry === undefined
      ? ["description.missing", "The skill has no description."]
      : isStructured(entry)
        ? ["description.not-string", "The skill's description is not text."]
        : ["description.empty", "The skill's description is empty."];
  const hint = "Add a line `description: what it does and when to use it`.";
  return skillFileDiagnostic(code, "error", message, hint, entry);
}

function tooLong(length: number, entry: YamlEntry | undefined): Diagnostic {
  return skillFileDiagnostic(
    "description.too-long",
    "warning",
    `The description has ${length} characters; the standard allows ${MAX_CHARACTERS}.`,
    "Shorten it; details belong below the header.",
    entry,
  );
}
