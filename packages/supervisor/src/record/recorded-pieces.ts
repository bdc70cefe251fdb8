import type { RunOutput } from "@skillwright/core";
import { type CapturedOutput, HeadTailBuffer } from "@skillwright/core/adapter";

/** A piece of output as the supervisor wrote it. */
export interface RecordedPiece extends RunOutput {
  /** Bytes of its own stream before it. */
  readonly position: number;
}

const HEAD_BYTES = 12;

/**
 * Reads the whole pieces at the beginning of a segment's bytes, and returns how many bytes those were: the supervisor may
 * be writing the next. `position` is the number of bytes of the stream before them.
 */
export function piecesIn(
  segment: Uint8Array,
  { stream, position }: Pick<RecordedPiece, "stream" | "position">,
): { readonly pieces: readonly RecordedPiece[]; readonly length: number } {
  const bytes = Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength);
  const pieces: RecordedPiece[] = [];
  let at = 0;
  let before = position;
  while (at + HEAD_BYTES <= bytes.length) {
    const end = at + HEAD_BYTES + bytes.readUInt32LE(at + 8);
    if (end > bytes.length) break;
    const offset = Number(bytes.readBigUInt64LE(at));
    pieces.push({ stream, offset, position: before, bytes: bytes.subarray(at + HEAD_BYTES, end) });
    before += end - at - HEAD_BYTES;
    at = end;
  }
  return { pieces, length: at };
}

/** The part of a piece at or after the offset. */
export function pieceFrom({ stream, offset, bytes }: RecordedPiece, from: number): RunOutput | undefined {
  const skipped = Math.max(0, from - offset);
  if (skipped >= bytes.byteLength) return undefined;
  return { stream, offset: offset + skipped, bytes: new Uint8Array(bytes.subarray(skipped)) };
}

/** One stream of the whole output, within the limit. */
export function capturedOf(
  pieces: readonly RecordedPiece[],
  stream: RunOutput["stream"],
  limit: number,
): CapturedOutput {
  const buffer = new HeadTailBuffer(limit);
  let end = 0;
  for (const piece of pieces) {
    if (piece.stream !== stream) continue;
    buffer.skip(piece.position - end);
    buffer.append(piece.bytes);
    end = piece.position + piece.bytes.byteLength;
  }
  return buffer.captured();
}
