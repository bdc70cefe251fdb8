import { type ByteStream, SkillError } from "@skillwright/core";

/**
 * @throws SkillError `LIMIT_EXCEEDED` once more than `limit` bytes have arrived, for files that grow while they are
 * read.
 */
export async function* limitedStream(stream: ByteStream, limit: number): ByteStream {
  let size = 0;
  for await (const piece of stream) {
    size += piece.byteLength;
    if (size > limit)
      throw new SkillError(
        "LIMIT_EXCEEDED",
        `The content has more than the ${limit} bytes allowed here. Give less.`,
        {
          details: { limit },
        },
      );
    yield piece;
  }
}
