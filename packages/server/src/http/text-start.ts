import type { ByteStream } from "@skillwright/core";

/** At most that many bytes from the beginning, as text; a character that is cut is left out. */
export async function textStart(
  content: ByteStream,
  maxBytes: number,
): Promise<{ readonly text: string; readonly truncated: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  let left = maxBytes;
  for await (const piece of content) {
    text += decoder.decode(piece.subarray(0, left), { stream: true });
    if (piece.byteLength > left) return { text, truncated: true };
    left -= piece.byteLength;
  }
  return { text: text + decoder.decode(), truncated: false };
}
