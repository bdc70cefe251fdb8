/** Controls, marks that turn the direction of writing round, and what has no width: they make a terminal lie. */
const UNPRINTABLE =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Text of a skill on one line, with what could steer the terminal as `\u{1b}`. */
export function printable(text: string): string {
  return spelledOut(text.replace(/\s+/g, " "));
}

/** As `printable`, with spaces as they are. */
export function spelledOut(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
