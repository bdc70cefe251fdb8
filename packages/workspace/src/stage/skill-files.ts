import {
  type ByteStream,
  byteStream,
  type FileEntry,
  type ManifestFile,
  type SkillManifest,
  type SkillReader,
  verifiedContent,
} from "@skillwright/core";

/**
 * The files of the manifest one by one, each opened when its turn comes.
 * @throws SkillError `DIGEST_MISMATCH`, here or from a content's stream, when its bytes are not those of the manifest.
 */
export async function* skillFiles(manifest: SkillManifest, open: SkillReader): AsyncIterable<FileEntry> {
  for (const file of manifest.files) {
    const content = verifiedContent(file, await open(file.path));
    yield { path: file.path, executable: file.executable, content };
  }
}

/** The file's bytes. @throws SkillError `DIGEST_MISMATCH` at their end, where they are not those of the manifest. */
export async function* verifiedFile(file: ManifestFile, open: SkillReader): ByteStream {
  yield* byteStream(verifiedContent(file, await open(file.path)));
}
