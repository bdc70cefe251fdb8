import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import type { RunOutput } from "@skillwright/core";
import { type CapturedOutput, HeadTailBuffer } from "@skillwright/core/adapter";

/** A piece of output as the supervisor wrote it. */
export interface RecordedPiece extends RunOutput {
  /** Bytes of its own stream before it. */
  readonly position: number;
}

/** Reads the pieces that were added since the last call, in the order of their offsets. */
export interface OutputReader {
  next(): readonly RecordedPiece[];
}

const HEAD_BYTES = 12;
const NAME = /^(stdout|stderr)\.(\d+)$/;

/** Reads the output that is recorded in the directory; the supervisor's documentation describes the files. */
export function outputReader(directory: string): OutputReader {
  /** How far each file was read, and how many bytes of output that was. */
  const cursors = new Map<string, { at: number; position: number }>();
  let waiting: RecordedPiece[] = [];

  function added(): readonly RecordedPiece[] {
    return readdirSync(directory).flatMap((name) => {
      const [, stream, start] = NAME.exec(name) ?? [];
      return stream && start ? piecesOf(name, stream as RunOutput["stream"], Number(start)) : [];
    });
  }

  function piecesOf(name: string, stream: RunOutput["stream"], start: number): readonly RecordedPiece[] {
    const cursor = cursors.get(name) ?? { at: 0, position: start };
    const bytes = bytesFrom(`${directory}/${name}`, cursor.at);
    const pieces: RecordedPiece[] = [];
    let { at, position } = { at: 0, position: cursor.position };
    while (at + HEAD_BYTES <= bytes.length) {
      const end = at + HEAD_BYTES + bytes.readUInt32LE(at + 8);
      // The supervisor is writing it.
      if (end > bytes.length) break;
      const offset = Number(bytes.readBigUInt64LE(at));
      pieces.push({ stream, offset, position, bytes: bytes.subarray(at + HEAD_BYTES, end) });
      position += end - at - HEAD_BYTES;
      at = end;
    }
    cursors.set(name, { at: cursor.at + at, position });
    return pieces;
  }

  function next(): readonly RecordedPiece[] {
    const first = [...waiting, ...added()];
    const until = Math.max(-1, ...first.map(({ offset }) => offset));
    // A piece of the other stream may have been written before the last of these, after its file was read.
    const all = [...first, ...added()].sort((a, b) => a.offset - b.offset);
    waiting = all.filter(({ offset }) => offset > until);
    return all.filter(({ offset }) => offset <= until);
  }

  return { next };
}

function bytesFrom(path: string, from: number): Buffer {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    // The supervisor has removed this part of the output.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - from));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
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
