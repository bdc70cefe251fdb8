import { createHash } from "node:crypto";
import {
  type ByteStream,
  type FileEntry,
  type ManifestFile,
  SkillError,
  type SkillManifest,
} from "@skillwright/core";

/**
 * The files of the manifest one by one, each opened when its content is asked for.
 * @throws SkillError from a content's stream: `DIGEST_MISMATCH` when its bytes are not those of the manifest.
 */
export async function* skillFiles(
  manifest: SkillManifest,
  open: (path: string) => Promise<ByteStream>,
): AsyncIterable<FileEntry> {
  for (const file of manifest.files)
    yield { path: file.path, executable: file.executable, content: verifiedFile(file, open) };
}

/** The file's bytes. @throws SkillError `DIGEST_MISMATCH` at their end, where they are not those of the manifest. */
export async function* verifiedFile(
  file: ManifestFile,
  open: (path: string) => Promise<ByteStream>,
): ByteStream {
  const hash = createHash("sha256");
  for await (const piece of await open(file.path)) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest("hex") === file.sha256) return;
  throw new SkillError(
    "DIGEST_MISMATCH",
    `The file "${file.path}" is not the one the skill's manifest names; it changed meanwhile. Run again.`,
    { details: { path: file.path } },
  );
}
