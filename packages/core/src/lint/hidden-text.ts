/** Characters of the tag block: a second alphabet that nothing displays. */
export const TAGS = /[\u{e0000}-\u{e007f}]+/gu;

/** Three or more variation selectors in a row: each carries a byte, and none shows. One tells an emoji from a sign; two are a slip. */
export const VARIATIONS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,}/gu;

/** What a run of such characters spells in ASCII, `?` for the rest. At most 200 characters of it. */
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
