import {
  type ByteStream,
  byteStream,
  type ManifestFile,
  type SkillManifest,
  type SkillReader,
} from "@skillwright/core";
import { type FileEntry, verifiedContent } from "@skillwright/core/adapter";

/**
 * Yields the files of the manifest one by one, each opened when it is needed.
 * @throws SkillError `DIGEST_MISMATCH`, here or from a content's stream, when its bytes differ from the manifest.
 */
export async function* skillFiles(manifest: SkillManifest, open: SkillReader): AsyncIterable<FileEntry> {
  for (const file of manifest.files) {
    const content = verifiedContent(file, await open(file.path));
    yield { path: file.path, executable: file.executable, content };
  }
}

/** Streams the file. @throws SkillError `DIGEST_MISMATCH` at its end, where the bytes differ from the manifest. */
export async function* verifiedFile(file: ManifestFile, open: SkillReader): ByteStream {
  yield* byteStream(verifiedContent(file, await open(file.path)));
}
