import { createHash } from "node:crypto";
import { lstat, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type ByteSource,
  type ByteStream,
  byteStream,
  type ManifestFile,
  SkillError,
} from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";

/** Files up to this size are read at once, so that an unread stream keeps no file open. */
const SMALL_BYTES = 256 * 1024;

export interface StoredFileOptions {
  /** Opens the file where the directory's copy does not match the manifest. */
  readonly otherwise: () => Promise<ByteSource>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Opens a file in a directory of a content store, verified against the manifest: small files whole, others streamed.
 */
export async function storedFile(
  directory: string,
  file: ManifestFile,
  { otherwise, signal }: StoredFileOptions,
): Promise<ByteSource> {
  checkAborted(signal);
  const path = join(directory, file.path);
  const size = await sizeOf(path);
  if (size !== file.size) return await otherwise();
  if (size > SMALL_BYTES) return largeFile(path, file, { otherwise, signal });
  // Collected in the meantime, or damaged: another source provides it.
  const bytes = await readFile(path).catch(() => undefined);
  return bytes && isOf(file, bytes) ? new Uint8Array(bytes) : await otherwise();
}

async function sizeOf(path: string): Promise<number | undefined> {
  return await lstat(path).then(
    (stat) => (stat.isFile() ? stat.size : undefined),
    () => undefined,
  );
}

function isOf({ size, sha256 }: ManifestFile, bytes: Uint8Array): boolean {
  return bytes.byteLength === size && createHash("sha256").update(bytes).digest("hex") === sha256;
}

async function* largeFile(
  path: string,
  file: ManifestFile,
  { otherwise, signal }: StoredFileOptions,
): ByteStream {
  // Collected in the meantime. Nothing was returned yet, so another source can provide all of it.
  const handle = await open(path).catch(() => undefined);
  if (!handle) return yield* byteStream(await otherwise());
  const hash = createHash("sha256");
  try {
    for (;;) {
      checkAborted(signal);
      const { buffer, bytesRead } = await handle.read(new Uint8Array(SMALL_BYTES));
      if (bytesRead === 0) break;
      const piece = buffer.subarray(0, bytesRead);
      hash.update(piece);
      yield piece;
    }
  } finally {
    await handle.close();
  }
  if (hash.digest("hex") !== file.sha256) throw mismatch(file.path, path);
}

function mismatch(path: string, stored: string): SkillError {
  const message = `The content of "${path}" in ${stored} differs from the manifest. Remove that directory from the content store.`;
  return new SkillError("DIGEST_MISMATCH", message, { details: { path } });
}
