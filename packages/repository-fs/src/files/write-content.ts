import { createHash, hash as digestOf } from "node:crypto";
import {
  abortable,
  type ByteSource,
  type ByteStream,
  byteStream,
  checkAborted,
  SkillError,
} from "@skillwright/core";
import { closeDescriptor, fchmod, openDescriptor, writeDescriptor } from "./file-system.js";
import { NEW_FILE, writeWhole } from "./write-whole.js";

export interface WriteContentOptions {
  readonly signal: AbortSignal | undefined;
  /** 0o666 by default, less what the process's mask takes away. */
  readonly mode?: number;
  /** The rights it has in the end, whatever the mask. */
  readonly finalMode?: number;
  /** Told the size of each piece before it is written; what it throws ends the writing. */
  readonly onPiece?: (bytes: number) => void;
}

/** Writes a new file piece by piece; one that is there is an error. What the source throws comes as `SourceFailure`. */
export async function writeContent(
  path: string,
  source: ByteSource,
  { signal, mode = 0o666, finalMode, onPiece }: WriteContentOptions,
): Promise<{ readonly size: number; readonly sha256: string }> {
  if (source instanceof Uint8Array && source.byteLength <= LARGE_BYTES) {
    checkAborted(signal);
    onPiece?.(source.byteLength);
    await writeWhole([{ path, bytes: source, mode, finalMode }]);
    return { size: source.byteLength, sha256: digestOf("sha256", source, "hex") };
  }
  const hash = createHash("sha256");
  let size = 0;
  const descriptor = await openDescriptor(path, NEW_FILE, mode);
  try {
    for await (const piece of pieces(source, signal)) {
      onPiece?.(piece.byteLength);
      size += piece.byteLength;
      hash.update(piece);
      await writeDescriptor(descriptor, piece, size > LARGE_BYTES);
    }
    if (finalMode !== undefined) await fchmod(descriptor, finalMode);
  } catch (error) {
    await closeDescriptor(descriptor).catch(() => undefined);
    throw error;
  }
  // Outside: a disk that is full may say so only now.
  await closeDescriptor(descriptor);
  return { size, sha256: hash.digest("hex") };
}

/** What is longer is written piece by piece, and in the background. */
export const LARGE_BYTES = 256 * 1024;

/** Carries what a source threw past everything that is caught on the way, so that it comes out unbroken. */
export class SourceFailure extends Error {
  readonly reason: unknown;

  constructor(reason: unknown) {
    super("The source of the bytes failed.");
    this.reason = reason;
  }
}

/** What a caller gets to see of a failure: a `SkillError`, or what its own source threw. */
export function shownFailure(error: unknown, doing: string): unknown {
  return error instanceof SourceFailure ? error.reason : SkillError.from(error, doing);
}

async function* pieces(source: ByteSource, signal: AbortSignal | undefined): ByteStream {
  try {
    yield* abortable(byteStream(source), signal);
  } catch (error) {
    throw signal?.aborted && SkillError.is(error, "ABORTED") ? error : new SourceFailure(error);
  }
}
