/** Controls, and the marks that turn the direction of writing round: both can make a terminal show what is not there. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text of a skill on one line, with what could steer the terminal as `\u{1b}`. */
export function printable(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
