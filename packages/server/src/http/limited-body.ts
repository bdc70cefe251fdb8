import { type ByteStream, SkillError } from "@skillwright/core";

/**
 * The body in pieces as they arrive.
 * @throws SkillError `LIMIT_EXCEEDED`: at once where the request announces too much, otherwise as soon as more than
 * `limit` bytes have arrived.
 */
export function limitedBody(request: Request, limit: number): ByteStream {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge(limit);
  return pieces(request.body, limit);
}

async function* pieces(body: Request["body"], limit: number): ByteStream {
  let size = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    if (size > limit) throw tooLarge(limit);
    yield piece;
  }
}

function tooLarge(limit: number): SkillError {
  return new SkillError("LIMIT_EXCEEDED", `An upload may have at most ${limit} bytes. Send a smaller file.`, {
    details: { limit },
  });
}
