import { shownLine } from "./shown-text.js";

/**
 * Returns the text on one line without invisible characters, like `shownLine`; hidden writing becomes `<hidden: ...>`.
 */
export function visibleText(text: string): string {
  return shownLine(
    text
      .replace(TAGS, (run) => `<hidden: ${hiddenText(run)}>`)
      .replace(VARIATIONS, (run) => `<hidden: ${hiddenText(run)}>`),
  );
}

/** Characters of the Unicode tag block: a second alphabet that nothing displays. */
const TAGS = /[\u{e0000}-\u{e007f}]+/gu;

/**
 * Three or more variation selectors in a row. Each can carry a hidden byte. A single one is normal after an emoji; two
 * are a typing error.
 */
const VARIATIONS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,}/gu;

/** Returns the ASCII text that such characters spell, with `?` for the rest, at most 200 characters. */
export function hiddenText(run: string): string {
  const bytes = Array.from(run, (character) => byteOf(character.codePointAt(0) ?? 0));
  const text = bytes
    .slice(0, 200)
    .map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : byte < 0x20 ? "" : "?"));
  return text.join("").trim();
}

function byteOf(code: number): number {
  if (code >= 0xe0100) return code - 0xe0100 + 16;
  if (code >= 0xe0000) return code - 0xe0000;
  return code - 0xfe00;
}
