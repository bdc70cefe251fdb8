/**
 * Decodes the bytes if they are text: valid UTF-8 without NUL (TR-79). With `cut` the bytes are the beginning of a
 * longer file, and a character broken by the cut is left out (TR-78, TR-88). `undefined` for anything else.
 */
export function inlineText(bytes: Uint8Array, cut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
  } catch {
    return undefined;
  }
}
