import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ByteStream } from "@skillwright/core";

const MEMORY_BYTES = 4 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

/** Buffers bytes on this machine: the first few MiB in memory, more in a file of this user, which disposing removes. */
export interface Spool extends AsyncDisposable {
  /** The bytes are not copied. */
  append(bytes: Uint8Array): Promise<void>;
  size(): number;
  /** Reads any part, any number of times, after the last `append`. */
  read(offset: number, size: number): ByteStream;
}

export function spool(): Spool {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let file: SpoolFile | undefined;

  async function append(bytes: Uint8Array): Promise<void> {
    held.push(bytes);
    heldBytes += bytes.byteLength;
    if (heldBytes < MEMORY_BYTES) return;
    const full = Buffer.concat(held);
    held = [];
    heldBytes = 0;
    file ??= await spoolFile();
    await file.append(full);
  }

  async function* read(offset: number, size: number): ByteStream {
    const inFile = file?.size() ?? 0;
    const end = offset + size;
    if (file && offset < inFile) yield* file.read(offset, Math.min(end, inFile) - offset);
    if (held.length > 1) held = [Buffer.concat(held)];
    const [rest] = held;
    if (rest && end > inFile) yield rest.subarray(Math.max(0, offset - inFile), end - inFile);
  }

  return {
    append,
    size: () => (file?.size() ?? 0) + heldBytes,
    read,
    [Symbol.asyncDispose]: async () => await file?.[Symbol.asyncDispose](),
  };
}

type SpoolFile = Spool;

async function spoolFile(): Promise<SpoolFile> {
  const directory = await mkdtemp(join(tmpdir(), "skillwright-"));
  const handle = await open(join(directory, "spool"), "wx+", 0o600);
  // Unlinked at once where the system allows it, so that a killed process leaves nothing behind.
  const remove = async () => await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  if (process.platform !== "win32") await remove();
  let size = 0;
  return {
    async append(bytes) {
      await handle.appendFile(bytes);
      size += bytes.byteLength;
    },
    size: () => size,
    read: (offset, length) => pieces(handle, offset, length),
    async [Symbol.asyncDispose]() {
      await handle.close();
      await remove();
    },
  };
}

async function* pieces(handle: FileHandle, from: number, size: number): ByteStream {
  for (let offset = from; offset < from + size; ) {
    const wanted = Math.min(PIECE_BYTES, from + size - offset);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, offset);
    if (bytesRead === 0) throw new Error("A temporary file on this machine was truncated.");
    offset += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
