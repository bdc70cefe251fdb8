import type { Diagnostic } from "../diagnostic.js";
import { skillFileDiagnostic } from "./skill-file-diagnostic.js";
import type { YamlEntry } from "./yaml-mapping.js";

/** The header begins on the second line of SKILL.md. */
const LINES_BEFORE = 1;

/** Warns where an unquoted description contains ` #`: YAML treats the rest of the line as a comment. */
export function cutDescription(yaml: string, entries: ReadonlyMap<string, YamlEntry>): readonly Diagnostic[] {
  const line = entries.get("description")?.line;
  if (line === undefined || !/[ \t]#/.test(yaml)) return [];
  const [first = "", ...rest] = yaml.split("\n").slice(line - LINES_BEFORE - 1);
  const value = /^[^:]*:[ \t]*(.*)$/s.exec(first)?.[1] ?? "";
  if (/^["'|>[{&*!]/.test(value)) return [];
  const end = rest.findIndex((next) => /^\S/.test(next));
  const lines = [first, ...rest.slice(0, end < 0 ? rest.length : end)];
  const cut = lines.findIndex((text, index) => (index === 0 ? COMMENT_AFTER_KEY : COMMENT).test(text));
  const column = (lines[cut] ?? "").search(/[ \t]#/) + 2;
  if (cut < 0) return [];
  return [
    skillFileDiagnostic(
      "description.comment",
      "warning",
      "The description ends before the ` #`, because YAML reads the rest of the line as a comment.",
      "Put the whole description in double quotes if the rest belongs to it.",
      { line: line + cut, column },
    ),
  ];
}

/** A comment after text on the same line; a comment on its own line cuts nothing. */
const COMMENT = /^[ \t]*[^\s#].*[ \t]#/;
const COMMENT_AFTER_KEY = /^[^:]*:[ \t]*[^\s#].*[ \t]#/;
