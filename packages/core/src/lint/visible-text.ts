import { hiddenText, TAGS, VARIATIONS } from "./hidden-text.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is written out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;
const INVISIBLE =
  /\u034f|[\u180b-\u180d]|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}\p{Surrogate}]/gu;

/** The text on one line with nothing in it that does not show: such characters as `<U+200B>`, hidden writing as `<hidden: ...>`. */
export function visibleText(text: string): string {
  return text
    .replace(TAGS, (run) => `<hidden: ${hiddenText(run)}>`)
    .replace(VARIATIONS, (run) => `<hidden: ${hiddenText(run)}>`)
    .replace(/[\t\r\n\v\f\u0085]/g, " ")
    .replace(CONTROLS, codePoint)
    .replace(INVISIBLE, codePoint);
}

function codePoint(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}
