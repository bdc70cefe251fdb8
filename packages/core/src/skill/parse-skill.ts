import type { Diagnostic } from "../diagnostic.js";
import type { JsonObject } from "../json-value.js";
import { withSpanSync } from "../span.js";
import { cutDescription } from "./cut-description.js";
import { hasControlCharacters, writtenText } from "./field-text.js";
import { readSkillFields, type SkillFields } from "./fields/skill-fields.js";
import { readDescription } from "./skill-description.js";
import { readSkillDocument } from "./skill-document.js";
import { skillFileDiagnostic } from "./skill-file-diagnostic.js";
import { readName } from "./skill-name.js";
import type { YamlEntry } from "./yaml-mapping.js";

export interface ParsedSkill {
  /** Name on one line. A label, never a path: it may contain anything but control characters. */
  readonly name: string;
  /** Description on one line: runs of white space become one space. */
  readonly description: string;
  /**
   * Every field as parsed from YAML, including unknown ones. JSON; a key such as `__proto__` is an ordinary own
   * property.
   */
  readonly frontmatter: JsonObject;
  /** The known optional fields, typed. */
  readonly fields: SkillFields;
  /** The Markdown after the header: trimmed, line ends as LF, otherwise unchanged. */
  readonly body: string;
}

export interface ParseSkillResult {
  /** Missing when a client cannot use the file; the diagnostics of severity `error` say why. */
  readonly skill?: ParsedSkill;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses SKILL.md leniently: everything that can be loaded is loaded, and every repair and guess is a diagnostic with
 * its position. Never throws and never runs anything. Without frontmatter, or without a description, there is no skill;
 * a missing name becomes the directory's name. Refuses headers of more than 100 Ki characters, more than 2,500 lines,
 * commas and brackets, more than 1,000 spaces and line ends in a row, more than 20,000 values (aliases expanded) or more
 * than 100 levels of brackets. Source: the implementers' guide of the Agent Skills standard.
 *
 * @param content Text, or the file's bytes. Invalid UTF-8 can be detected only in bytes.
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

/** `parseSkill` in a span `skill.parse`, for the load of one skill. Listings, which read many, call `parseSkill`. */
export function parseLoadedSkill(...given: Parameters<typeof parseSkill>): ParseSkillResult {
  return withSpanSync("skill.parse", { size: given[0].length }, (set) => {
    const result = parseSkill(...given);
    set({ diagnostics: result.diagnostics.length });
    return result;
  });
}

function controlCharacters(entries: ReadonlyMap<string, YamlEntry>): Diagnostic[] {
  return ["name", "description"]
    .filter((field) => hasControlCharacters(writtenText(entries.get(field))))
    .map((field) =>
      skillFileDiagnostic(
        "text.control-characters",
        "warning",
        `The ${field} contains control characters; they are removed.`,
        "Remove them; an editor may need a setting to show them.",
        entries.get(field),
      ),
    );
}
