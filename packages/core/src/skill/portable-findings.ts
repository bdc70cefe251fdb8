import { fileNameProblem } from "../archive/path-spellings.js";
import type { Diagnostic } from "../diagnostic.js";
import { writtenText } from "./field-text.js";
import { type FilePosition, skillFileDiagnostic } from "./skill-file-diagnostic.js";
import { yamlFeatures } from "./yaml-features.js";
import type { YamlEntry } from "./yaml-mapping.js";

const MAX_FILE_BYTES = 256_000;
const MAX_HEADER_CHARACTERS = 16_384;
const MAX_DESCRIPTION_BYTES = 1024;

/** The parts of SKILL.md that the portability check reads. */
export interface PortableSubject {
  readonly entries: ReadonlyMap<string, YamlEntry>;
  /** The YAML source. */
  readonly yaml: string;
  readonly body: string;
  readonly fileBytes: number;
}

/**
 * Reports what some client, registry or validator refuses although the standard allows it. The strictest known limit
 * applies: hosted uploads (reserved words, angle brackets, YAML strings), parsers that support block style only or end
 * a header at any dashes, loaders with limits on header, file and description.
 */
export function* portableFindings(subject: PortableSubject): Generator<Diagnostic, void, undefined> {
  const { entries, yaml, body, fileBytes } = subject;
  yield* name(entries.get("name"));
  yield* description(entries.get("description"));
  for (const field of ["name", "description"] as const) yield* yamlString(field, entries.get(field));
  for (const { code, what, line, column } of yamlFeatures(yaml))
    yield finding(
      code,
      `The header contains ${what}, which some readers reject.`,
      "Write plain block style.",
      {
        line: line + 1,
        column,
      },
    );
  if ([...yaml].length > MAX_HEADER_CHARACTERS)
    yield finding(
      "frontmatter.too-long",
      `The header has more than ${MAX_HEADER_CHARACTERS} characters.`,
      "Move text below it.",
    );
  if (fileBytes > MAX_FILE_BYTES)
    yield finding(
      "file.large",
      `SKILL.md has ${fileBytes} bytes; some loaders accept at most ${MAX_FILE_BYTES}.`,
      "Move parts of it into files in references/.",
    );
  if (body === "")
    yield finding("body.empty", "SKILL.md has no instructions below the header.", "Write what to do.");
}

function* name(entry: YamlEntry | undefined): Generator<Diagnostic, void, undefined> {
  const written = writtenText(entry);
  if (/anthropic|claude/i.test(written))
    yield finding(
      "name.reserved-word",
      `The name "${written}" contains a word that names of hosted skills may not contain.`,
      'Leave "anthropic" and "claude" out of it.',
      entry,
    );
  const problem = fileNameProblem(written);
  if (problem)
    yield finding(
      "name.no-file-name",
      `The name "${written}" ${problem}.`,
      "Choose a name that is a valid folder name on every system.",
      entry,
    );
}

function* description(entry: YamlEntry | undefined): Generator<Diagnostic, void, undefined> {
  const written = writtenText(entry);
  if (/[<>]/.test(written))
    yield finding(
      "description.angle-brackets",
      "The description contains angle brackets, which hosted services reject.",
      "Remove < and >.",
      entry,
    );
  const bytes = Buffer.byteLength(written);
  if (bytes > MAX_DESCRIPTION_BYTES)
    yield finding(
      "description.too-many-bytes",
      `The description has ${bytes} bytes; some loaders accept at most ${MAX_DESCRIPTION_BYTES}.`,
      "Shorten it.",
      entry,
    );
}

function* yamlString(field: string, entry: YamlEntry | undefined): Generator<Diagnostic, void, undefined> {
  if (typeof entry?.value === "number" || typeof entry?.value === "boolean")
    yield finding(
      `${field}.not-yaml-string`,
      `YAML reads the ${field} as a ${typeof entry.value}, which some readers reject.`,
      "Put it in double quotes.",
      entry,
    );
}

function finding(code: string, message: string, hint: string, place?: FilePosition): Diagnostic {
  return skillFileDiagnostic(code, "error", message, hint, place);
}
