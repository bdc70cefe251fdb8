import { renameSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import type { RecordedPiece } from "@skillwright/supervisor";
import { outputReader, segments } from "./recorded-output.js";

const HEAD_BYTES = 12;
const STREAMS = ["stdout", "stderr"] as const;

/** The pieces at the beginning and at the end of each stream that have `limit` bytes or more, in the order of their offsets. */
export function keptPieces(directory: string, limit: number): readonly RecordedPiece[] {
  const reader = outputReader(directory);
  const ends = { stdout: endsOf(limit), stderr: endsOf(limit) };
  for (let next = reader.next(); next.length > 0; next = reader.next())
    for (const piece of next) ends[piece.stream].add(piece);
  return STREAMS.flatMap((stream) => ends[stream].pieces()).sort((a, b) => a.offset - b.offset);
}

function endsOf(limit: number) {
  const half = Math.ceil(limit / 2);
  const head: RecordedPiece[] = [];
  let tail: RecordedPiece[] = [];
  let first = 0;
  let end = 0;
  return {
    add(piece: RecordedPiece): void {
      end = piece.position + piece.bytes.byteLength;
      if (piece.position < half) {
        head.push(piece);
        return;
      }
      tail.push(piece);
      while (end - endOf(tail[first]) >= half) first++;
      if (first < tail.length / 2) return;
      // Copied, so that what was read together with it is let go.
      tail = tail.slice(first).map((one) => ({ ...one, bytes: new Uint8Array(one.bytes) }));
      first = 0;
    },
    pieces: () => [...head, ...tail.slice(first)],
  };
}

function endOf(piece: RecordedPiece | undefined): number {
  return piece ? piece.position + piece.bytes.byteLength : Number.POSITIVE_INFINITY;
}

/**
 * Removes from the record of a run that is over what is not kept. A reader that is under way misses it.
 *
 * @param kept As `keptPieces` returns them.
 */
export function trimOutput(directory: string, kept: readonly RecordedPiece[]): void {
  for (const stream of STREAMS) {
    const own = kept.filter((piece) => piece.stream === stream);
    const gap = own.findIndex(({ position }, index) => index > 0 && position > endOf(own[index - 1]));
    if (gap < 0) continue;
    const [head, tail] = [own.slice(0, gap), own.slice(gap)];
    const last = `${stream}.${tail[0]?.position}`;
    const others = segments(directory).filter((file) => file.stream === stream && file.name !== last);
    const [first] = others;
    writeFileSync(`${directory}/${last}.new`, Buffer.concat(tail.map(frameOf)), { mode: 0o600 });
    renameSync(`${directory}/${last}.new`, `${directory}/${last}`);
    for (const { name } of others) if (name !== first?.name) unlinkSync(`${directory}/${name}`);
    const bytes = head.reduce((sum, piece) => sum + HEAD_BYTES + piece.bytes.byteLength, 0);
    if (first?.start === 0) truncateSync(`${directory}/${first.name}`, bytes);
  }
}

function frameOf({ offset, bytes }: RecordedPiece): Buffer {
  const frame = Buffer.alloc(HEAD_BYTES + bytes.byteLength);
  frame.writeBigUInt64LE(BigInt(offset));
  frame.writeUInt32LE(bytes.byteLength, 8);
  frame.set(bytes, HEAD_BYTES);
  return frame;
}
