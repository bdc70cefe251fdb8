const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Foreign text in which nothing is hidden: characters that are invisible or change the direction are spelled out. Tabs and
 * ends of lines stay.
 */
export function printable(text: string): string {
  return text.replace(HIDDEN, (one) =>
    one === "\n" || one === "\t" ? one : `\\u{${one.codePointAt(0)?.toString(16)}}`,
  );
}
