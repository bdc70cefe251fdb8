import type { ByteStream } from "@skillwright/core";

/** True where the text's bytes occur in the stream. Reading stops there. */
export async function contains(stream: ByteStream, text: string): Promise<boolean> {
  const wanted = Buffer.from(text);
  let end: Uint8Array = new Uint8Array();
  for await (const piece of stream) {
    const seen = Buffer.concat([end, piece]);
    if (seen.includes(wanted)) return true;
    // The text may span two pieces.
    end = seen.subarray(Math.max(0, seen.length - wanted.length + 1));
  }
  return false;
}
