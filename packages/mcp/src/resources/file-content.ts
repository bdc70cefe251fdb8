import type { ReadResourceResult } from "@modelcontextprotocol/server";
import { type ByteStream, readBytes, SkillError } from "@skillwright/core";

/** The largest resource. In base64, its message is below the limit of 10 MiB that clients of the official SDKs have. */
const MAX_RESOURCE_BYTES = 6 * 1024 * 1024;

/**
 * Returns the file as one resource: as text if its type and its bytes are text, otherwise in base64.
 * @throws SkillError `LIMIT_EXCEEDED` for a file of more than 6 MiB.
 */
export async function fileContent(
  uri: string,
  mimeType: string,
  content: ByteStream,
  remedy: string,
): Promise<ReadResourceResult> {
  const bytes = Buffer.from(await resourceBytes(content, remedy));
  const text = isTextType(mimeType) ? asText(bytes) : undefined;
  if (text !== undefined) return { contents: [{ uri, mimeType, text }] };
  return { contents: [{ uri, mimeType, blob: bytes.toString("base64") }] };
}

/** @throws SkillError `LIMIT_EXCEEDED` for more than 6 MiB, with the remedy at the end of its message. */
export async function resourceBytes(content: ByteStream, remedy: string): Promise<Uint8Array> {
  try {
    return await readBytes(content, MAX_RESOURCE_BYTES);
  } catch (error) {
    if (!SkillError.is(error, "LIMIT_EXCEEDED")) throw error;
    throw new SkillError(
      "LIMIT_EXCEEDED",
      `The file has more than the ${MAX_RESOURCE_BYTES} bytes that one resource may have. ${remedy}`,
      { cause: error, details: { limit: MAX_RESOURCE_BYTES } },
    );
  }
}

function asText(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function isTextType(mimeType: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript)\b/.test(mimeType);
}
