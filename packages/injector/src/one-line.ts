/** Characters that break a line, hide text or change its direction: controls, separators, zero-width, bidi, tags. */
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** The text on one line, without invisible characters, blanks run together. */
export function oneLine(text: string): string {
  return text
    .replace(UNSEEN, (character) => (/\s/.test(character) ? " " : ""))
    .replace(/\s+/g, " ")
    .trim();
}

/** One line that no XML reader takes for a tag or an entity. */
export function xmlText(text: string): string {
  return oneLine(text).replace(/[&<>]/g, (character) => XML[character] ?? character);
}

/** One line that cannot end the code span it stands in. */
export function codeSpan(text: string): string {
  return `\`${oneLine(text).replaceAll("`", "'")}\``;
}

const XML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
