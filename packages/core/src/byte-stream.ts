import { SkillError } from "./skill-error.js";

/** Bytes in pieces of any size, readable once. Node and web streams both have this shape. */
export type ByteStream = AsyncIterable<Uint8Array>;

/** The forms of bytes that callers may pass: text (as UTF-8), a buffer, or a stream. */
export type ByteSource = string | Uint8Array | ByteStream;

const encoder = new TextEncoder();

/** Converts the source to a stream. Nothing is read before the first piece is requested. */
export async function* byteStream(source: ByteSource): ByteStream {
  if (typeof source === "string") yield encoder.encode(source);
  else if (source instanceof Uint8Array) yield source;
  else yield* source;
}

/**
 * Reads all bytes of the source into memory.
 * @throws SkillError `LIMIT_EXCEEDED` as soon as more than `limit` bytes have arrived; the rest is not read.
 */
export async function readBytes(source: ByteSource, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of byteStream(source)) {
    size += piece.byteLength;
    if (size > limit) {
      const details = { limit };
      throw new SkillError(
        "LIMIT_EXCEEDED",
        `The content has more than the ${limit} bytes allowed here. Give less.`,
        {
          details,
        },
      );
    }
    pieces.push(piece);
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : concatenated(pieces, size);
}

/** Like `readBytes`, decoded as UTF-8. Invalid bytes become U+FFFD; a leading BOM is kept. */
export async function readText(source: ByteSource, limit: number): Promise<string> {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await readBytes(source, limit));
}

function concatenated(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}
