import type { Diagnostic } from "./diagnostic.js";
import type { JsonValue } from "./json-value.js";
import { isShownRightly } from "./lint/hidden-characters.js";

/**
 * Controls but tab and line ends, a carriage return that would write over its line, what turns the direction of writing,
 * what has no width, the second alphabet of tags, halves of characters, and what is no character.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is written out
  /[\u{e0000}-\u{e007f}]+|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,}|\u034f|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\u{e0080}-\u{e00ff}\u{e01f0}-\u{e0fff}\p{Surrogate}]|\r(?!\n)/gu;

/**
 * The text as a model or a terminal may read it: what would move a cursor, turn the direction of writing or not show at
 * all is written out, such as `\u{1b}`. Tabs, line ends, emoji and the joiners of scripts that need them stay.
 */
export function shownText(text: string): string {
  return text.replace(UNSEEN, (run, at: number) =>
    isShownRightly(run, text.slice(Math.max(0, at - 4), at), text.slice(at + run.length, at + run.length + 4))
      ? run
      : writtenOut(run),
  );
}

/** The same on one line: each run of white space is one space. */
export function shownLine(text: string): string {
  return shownText(text.replace(/(?:(?!\ufeff)\s)+/g, " "));
}

/** The value with all its texts as `shownText` gives them, the names of fields too. */
export function shownValue(value: JsonValue): JsonValue {
  if (typeof value === "string") return shownText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(shownValue);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [shownText(name), shownValue(inner)]),
  );
}

/** The diagnostic with its texts as `shownText` gives them; its path keeps what shows. */
export function shownDiagnostic(diagnostic: Diagnostic): Diagnostic {
  const { message, hint, path } = diagnostic;
  const shown = {
    message: shownText(message),
    hint: shownText(hint),
    ...(path !== undefined && { path: shownText(path) }),
  };
  const isSame = shown.message === message && shown.hint === hint && shown.path === path;
  return isSame ? diagnostic : { ...diagnostic, ...shown };
}

function writtenOut(run: string): string {
  return Array.from(run, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join("");
}
