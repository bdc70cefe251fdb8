import { type ByteStream, readBytes, SkillError } from "@skillwright/core";

/** The whole body. @throws SkillError `LIMIT_EXCEEDED`, at the latest with the first byte above the limit; `INPUT_INVALID` where there is none. */
export async function requestBody(request: Request, limit: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length") ?? "";
  if (/^\d+$/.test(announced) && Number(announced) > limit) throw tooLarge(limit);
  if (!request.body)
    throw new SkillError("INPUT_INVALID", "The request has no body. Send a zip of the skill.");
  try {
    return await readBytes(request.body as unknown as ByteStream, limit);
  } catch (error) {
    throw SkillError.is(error, "LIMIT_EXCEEDED")
      ? tooLarge(limit)
      : SkillError.from(error, "Reading the request");
  }
}

function tooLarge(limit: number): SkillError {
  const message = `The archive has more than the ${limit} bytes that this registry accepts. Make the skill smaller.`;
  return new SkillError("LIMIT_EXCEEDED", message, { details: { limit } });
}
