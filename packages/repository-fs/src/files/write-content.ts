import { createHash, hash as digestOf } from "node:crypto";
import { type ByteSource, type ByteStream, byteStream, SkillError } from "@skillwright/core";
import { abortable, checkAborted } from "@skillwright/core/adapter";
import { closeDescriptor, fchmod, openDescriptor, writeDescriptor } from "./file-system.js";
import { NEW_FILE, writeWhole } from "./write-whole.js";

export interface WriteContentOptions {
  readonly signal: AbortSignal | undefined;
  /** Defaults to 0o666, reduced by the process's umask. */
  readonly mode?: number;
  /** The final permissions, independent of the umask. */
  readonly finalMode?: number;
  /** Called with the size of each piece before it is written; an exception stops the writing. */
  readonly onPiece?: (bytes: number) => void;
}

/**
 * Writes a new file piece by piece; an existing file is an error. An exception of the source is wrapped in
 * `SourceFailure`.
 */
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
    // The first failure is thrown.
    await closeDescriptor(descriptor).catch(() => undefined);
    throw error;
  }
  // Outside the `try`: a full disk may be reported only on close.
  await closeDescriptor(descriptor);
  return { size, sha256: hash.digest("hex") };
}

/** Longer content is written piece by piece and in the background. */
export const LARGE_BYTES = 256 * 1024;

/** Carries an exception of the source past all `catch` clauses on the way, so that it reaches the caller unchanged. */
export class SourceFailure extends Error {
  readonly reason: unknown;

  constructor(reason: unknown) {
    super("The source of the bytes failed.");
    this.reason = reason;
  }
}

/** The error that the caller sees: a `SkillError`, or the exception of its own source. */
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
