import type { Diagnostic } from "../diagnostic.js";
import type { JsonObject } from "../json-value.js";
import { cutDescription } from "./cut-description.js";
import { hasControlCharacters, writtenText } from "./field-text.js";
import { readSkillFields, type SkillFields } from "./fields/skill-fields.js";
import { readDescription } from "./skill-description.js";
import { readSkillDocument } from "./skill-document.js";
import { skillFileDiagnostic } from "./skill-file-diagnostic.js";
import { readName } from "./skill-name.js";
import type { YamlEntry } from "./yaml-mapping.js";

export interface ParsedSkill {
  /** On one line. A label, never a path: it may hold anything but control characters. */
  readonly name: string;
  /** On one line: runs of white space are one space. */
  readonly description: string;
  /** Every field as YAML gives it, unknown ones too. JSON; a key such as `__proto__` is an own field like any other. */
  readonly frontmatter: JsonObject;
  /** What is known of the optional fields, typed. */
  readonly fields: SkillFields;
  /** The Markdown after the header, trimmed, line ends as LF, otherwise as it was written. */
  readonly body: string;
}

export interface ParseSkillResult {
  /** Missing when a client cannot use the file; the diagnostics of severity `error` say why. */
  readonly skill?: ParsedSkill;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads SKILL.md as a careful client does: what can be loaded is loaded, and every repair and guess is a diagnostic with
 * its place. Never throws and never runs anything. Without frontmatter, or without a description, there is no skill; a
 * missing name becomes the name of the folder. Headers of more than 100 Ki characters, of more than 2,500 lines, commas
 * and brackets, of 20,000 values (aliases written out) or 100 levels of brackets are refused. Source: the implementers'
 * guide of the Agent Skills standard.
 *
 * @param content Text, or the file's bytes; only from bytes can be told that they are not UTF-8.
 */
export function parseSkill(
  content: string | Uint8Array,
  options: { directoryName: string },
): ParseSkillResult {
  const { header, yaml, body, encoding } = readSkillDocument(content);
  if ("unusable" in header) return { diagnostics: [...encoding, header.unusable] };
  const { entries } = header;
  const { name, diagnostics: aboutName } = readName(entries, options.directoryName);
  const { description, diagnostics: aboutDescription } = readDescription(entries);
  const { fields, diagnostics: aboutFields } = readSkillFields(entries);
  const diagnostics = [
    ...encoding,
    ...header.repairs,
    ...aboutName,
    ...aboutDescription,
    ...cutDescription(yaml, entries),
    ...controlCharacters(entries),
    ...aboutFields,
  ];
  if (!description) return { diagnostics };
  const frontmatter = Object.fromEntries([...entries.values()].map(({ key, value }) => [key, value]));
  return { skill: { name, description, frontmatter, fields, body }, diagnostics };
}

function controlCharacters(entries: ReadonlyMap<string, YamlEntry>): Diagnostic[] {
  return ["name", "description"]
    .filter((field) => hasControlCharacters(writtenText(entries.get(field))))
    .map((field) =>
      skillFileDiagnostic(
        "text.control-characters",
        "warning",
        `The ${field} has control characters; they are left out.`,
        "Remove them; an editor may have to be told to show them.",
        entries.get(field),
      ),
    );
}
