import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ByteSource, ByteStream } from "@skillwright/core";
import { abortable } from "@skillwright/core/adapter";

/** Content that was counted and hashed and can be read any number of times. */
export interface Spooled extends AsyncDisposable {
  readonly size: number;
  readonly sha256: string;
  /** Opens the content on the first read. */
  open(): ByteStream | Uint8Array;
}

/**
 * Buffers a source until it is known whether it is needed: text and buffers stay in memory, streams of any length go to
 * a file that only this user can read. Disposing removes the file.
 */
export async function spool(source: ByteSource, signal: AbortSignal | undefined): Promise<Spooled> {
  if (typeof source === "string" || source instanceof Uint8Array) return inMemory(Buffer.from(source));
  const directory = await mkdtemp(path.join(tmpdir(), "skillwright-upload-"));
  const dispose = () => rm(directory, { recursive: true, force: true });
  try {
    const file = path.join(directory, "content");
    const { size, sha256 } = await written(source, await open(file, "wx", 0o600), signal);
    return { size, sha256, open: () => reading(file), [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

function inMemory(bytes: Uint8Array): Spooled {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { size: bytes.byteLength, sha256, open: () => bytes, [Symbol.asyncDispose]: async () => undefined };
}

async function* reading(file: string): ByteStream {
  yield* createReadStream(file);
}

async function written(
  source: ByteStream,
  handle: FileHandle,
  signal: AbortSignal | undefined,
): Promise<{ size: number; sha256: string }> {
  const hash: Hash = createHash("sha256");
  let size = 0;
  try {
    for await (const piece of abortable(source, signal)) {
      // Callers without TypeScript pass streams of text, such as that of a file that was opened with an encoding.
      const bytes: Uint8Array = typeof piece === "string" ? Buffer.from(piece) : piece;
      hash.update(bytes);
      size += bytes.byteLength;
      await handle.appendFile(bytes);
    }
  } finally {
    await handle.close();
  }
  return { size, sha256: hash.digest("hex") };
}
