import { createHash, hash as digestOf } from "node:crypto";
import {
  type ByteSource,
  type ByteStream,
  byteStream,
  type FileEntry,
  type ManifestFile,
  SkillError,
  type SkillManifest,
  type SkillReader,
} from "@skillwright/core";

/**
 * The files of the manifest one by one, each opened when its turn comes.
 * @throws SkillError `DIGEST_MISMATCH`, here or from a content's stream, when its bytes are not those of the manifest.
 */
export async function* skillFiles(manifest: SkillManifest, open: SkillReader): AsyncIterable<FileEntry> {
  for (const file of manifest.files) {
    const content = verified(file, await open(file.path));
    yield { path: file.path, executable: file.executable, content };
  }
}

/** The file's bytes. @throws SkillError `DIGEST_MISMATCH` at their end, where they are not those of the manifest. */
export async function* verifiedFile(file: ManifestFile, open: SkillReader): ByteStream {
  yield* byteStream(verified(file, await open(file.path)));
}

function verified(file: ManifestFile, content: ByteSource): ByteSource {
  if (!(content instanceof Uint8Array)) return verifiedStream(file, byteStream(content));
  if (digestOf("sha256", content, "hex") !== file.sha256) throw mismatch(file);
  return content;
}

async function* verifiedStream(file: ManifestFile, content: ByteStream): ByteStream {
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
