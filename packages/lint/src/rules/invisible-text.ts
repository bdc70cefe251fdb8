import type { YamlEntry } from "@skillwright/core/adapter";
import { hasControlCharacters } from "@skillwright/core/adapter";
import { hiddenCharacters } from "../hidden-characters.js";
import type { CheckedRule, LintHit } from "../lint-rule.js";
import type { LintSubject } from "../lint-subject.js";
import type { LintedText } from "../linted-text.js";

const SHOWN_FIELDS = ["name", "description"] as const;

/** SEC-01 and SEC-03: invisible characters in a text. */
export const invisibleText: readonly CheckedRule[] = [
  {
    id: "SEC-01",
    severity: "error",
    title:
      "Invisible or direction-changing characters in name or description (error), in text or a path (warning)",
    help: "Delete them; an editor may need a setting to show them. Invisible text cannot be reviewed.",
    *check(subject) {
      for (const file of subject.texts) yield* inLines(subject, file);
      for (const field of SHOWN_FIELDS) yield* inField(subject, field);
      for (const { path } of subject.skill.files)
        for (const { what } of hiddenCharacters(path))
          yield {
            message: `The path "${path.slice(0, 200)}" contains ${what}.`,
            severity: "warning",
            path,
          };
    },
  },
  {
    id: "SEC-03",
    severity: "error",
    title: "Control characters in name or description",
    help: "Remove them, also those written as an escape such as \\e; a terminal interprets them.",
    *check({ header, skillText }) {
      for (const field of SHOWN_FIELDS) {
        const entry = header.get(field);
        const text = entry?.text?.trim() ?? "";
        // Direction marks are reported by SEC-01.
        if (entry && skillText && hasControlCharacters(text.replace(DIRECTION, "")))
          yield {
            message: `The ${field} has control characters.`,
            ...place(skillText.path, entry),
            shown: text,
          };
      }
    },
  },
];

const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/** Yields one hit per line, however many characters it hides. */
function* inLines(subject: LintSubject, file: LintedText): Generator<LintHit, void, undefined> {
  const judgedByValue = file === subject.skillText ? shownFieldLines(subject) : new Set<number>();
  let hit: { offset: number; line: number; what: string; more: number } | undefined;
  for (const { offset, what } of hiddenCharacters(file.text)) {
    const line = file.lineAt(offset);
    if (file.context(line) === "data" || judgedByValue.has(line)) continue;
    if (hit?.line === line) hit.more++;
    else {
      if (hit) yield told(hit);
      hit = { offset, line, what, more: 0 };
    }
  }
  if (hit) yield told(hit);

  function told({ offset, line, what, more }: NonNullable<typeof hit>): LintHit {
    const others =
      more > 0
        ? `, and more of this kind at ${more} other ${more === 1 ? "place" : "places"} in this line`
        : "";
    const column = offset - file.lineStart(line) + 1;
    return {
      message: `The text contains ${what}${others}.`,
      severity: "warning",
      path: file.path,
      line,
      column,
    };
  }
}

/** Checks the parsed YAML value, since a character may be written as an escape. */
function* inField({ header, skillText }: LintSubject, field: string): Generator<LintHit, void, undefined> {
  const entry = header.get(field);
  const text = entry?.text ?? "";
  if (!entry || !skillText) return;
  for (const { what } of hiddenCharacters(text))
    yield { message: `The ${field} contains ${what}.`, ...place(skillText.path, entry), shown: text };
}

function place(path: string, { line, column }: YamlEntry): { path: string; line: number; column: number } {
  return { path, line, column };
}

/** The lines of SKILL.md that belong to fields checked by value. */
function shownFieldLines({ header, skillText }: LintSubject): ReadonlySet<number> {
  const lines = new Set<number>();
  const entries = [...header.values()].sort((a, b) => a.line - b.line);
  for (const [index, { key, line }] of entries.entries()) {
    if (!SHOWN_FIELDS.some((field) => field === key)) continue;
    const next = entries[index + 1]?.line ?? Number.POSITIVE_INFINITY;
    for (let own = line; own < next && skillText?.context(own) === "header"; own++) lines.add(own);
  }
  return lines;
}
