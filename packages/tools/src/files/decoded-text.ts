/** The text of UTF-8 bytes, with a byte order mark where they begin with one. `undefined` for other bytes, and where one is 0. */
export function decodedText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
