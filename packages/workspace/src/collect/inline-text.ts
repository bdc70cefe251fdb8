/**
 * Decodes the bytes if they are text: valid UTF-8 without NUL. With `cut` the bytes are the beginning of a
 * longer file, and a character broken by the cut is left out. `undefined` for anything else.
 */
export function inlineText(bytes: Uint8Array, cut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
  } catch {
    return undefined;
  }
}
