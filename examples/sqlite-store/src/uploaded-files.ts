import { createHash } from "node:crypto";
import {
  type ByteSource,
  type ByteStream,
  byteStream,
  readBytes,
  SKILL_LIMITS,
  type UploadFile,
} from "@skillwright/core";
import { abortable, uploadRules } from "@skillwright/core/adapter";

/** A file as it is stored. */
export interface StoredFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  readonly sha256: string;
}

/** Files by path inside the skill. */
export type StoredFiles = ReadonlyMap<string, StoredFile>;

/**
 * Reads the whole upload, at most 16 MiB, so that a transaction stores it in one step and never waits for a caller's stream.
 * @throws SkillError as `upload`; errors of the source are passed on.
 */
export async function uploadedFiles(
  files: Iterable<UploadFile> | AsyncIterable<UploadFile>,
  signal: AbortSignal | undefined,
): Promise<StoredFiles> {
  const rules = uploadRules();
  const stored = new Map<string, StoredFile>();
  for await (const { path, content, executable = false } of abortable(files, signal)) {
    rules.admit(path);
    stored.set(path, storedFile(await readBytes(counted(path, content), SKILL_LIMITS.bytes), executable));
  }
  return stored;

  async function* counted(path: string, content: ByteSource): ByteStream {
    for await (const piece of abortable(byteStream(content), signal)) {
      rules.count(path, piece.byteLength);
      // The caller may change it while later ones are awaited.
      yield Uint8Array.from(piece);
    }
  }
}

export function storedFile(bytes: Uint8Array, executable: boolean): StoredFile {
  return { bytes, executable, sha256: createHash("sha256").update(bytes).digest("hex") };
}
