import { createHash, hash as digestOf } from "node:crypto";
import { type ByteSource, type ByteStream, byteStream } from "../byte-stream.js";
import { SkillError } from "../skill-error.js";
import type { ManifestFile } from "./manifest.js";

/**
 * Returns the content, checked against the manifest: a buffer is checked now, a stream when its end is read.
 * @throws SkillError `DIGEST_MISMATCH`, here or from the stream, when the bytes differ from the manifest.
 */
export function verifiedContent(file: ManifestFile, content: ByteSource): ByteSource {
  if (!(content instanceof Uint8Array)) return verifiedStream(file, byteStream(content));
  if (digestOf("sha256", content, "hex") !== file.sha256) throw mismatch(file);
  return content;
}

/** Like `verifiedContent`, but always a stream. */
export async function* verifiedStream(file: ManifestFile, content: ByteStream): ByteStream {
  const hash = createHash("sha256");
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest("hex") !== file.sha256) throw mismatch(file);
}

function mismatch({ path }: ManifestFile): SkillError {
  return new SkillError(
    "DIGEST_MISMATCH",
    `The file "${path}" is not the one the skill's manifest names; it changed meanwhile. Run again.`,
    { details: { path } },
  );
}
