import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import type { RunOutput } from "@skillwright/core";
import { piecesIn, type RecordedPiece } from "@skillwright/supervisor";

/** Reads the pieces that were added since the last call, in the order of their offsets. */
export interface OutputReader {
  /** The next pieces, some MiB at most. An empty list means that nothing more was recorded at the time of the call. */
  next(): readonly RecordedPiece[];
}

type Stream = RunOutput["stream"];

const NAME = /^(stdout|stderr)\.(\d+)$/;
/** Larger than any frame. */
const MOST_BYTES = 1024 * 1024;

/** Reads the output that is recorded in the directory; the supervisor's documentation describes the files. */
export function outputReader(directory: string): OutputReader {
  /** How far each file was read, and how many bytes of output that was. */
  const cursors = new Map<string, { at: number; position: number }>();
  const lastOffset = { stdout: -1, stderr: -1 };
  let waiting: RecordedPiece[] = [];

  /** Adds to `behind` each stream that has more bytes than were read. */
  function added(behind: Set<Stream>): readonly RecordedPiece[] {
    const files = segments(directory);
    return (["stdout", "stderr"] as const).flatMap((stream) => {
      const pieces: RecordedPiece[] = [];
      let left = MOST_BYTES;
      for (const { name, start } of files.filter((file) => file.stream === stream)) {
        if (left > 0) left -= read(name, stream, start, pieces);
        if (left <= 0) behind.add(stream);
      }
      lastOffset[stream] = pieces.at(-1)?.offset ?? lastOffset[stream];
      return pieces;
    });
  }

  /** Returns how many new bytes the file has, at most `MOST_BYTES`. */
  function read(name: string, stream: Stream, start: number, to: RecordedPiece[]): number {
    const cursor = cursors.get(name) ?? { at: 0, position: start };
    const bytes = bytesFrom(`${directory}/${name}`, cursor.at);
    const { pieces, length } = piecesIn(bytes, { stream, position: cursor.position });
    const last = pieces.at(-1);
    const position = last ? last.position + last.bytes.byteLength : cursor.position;
    cursors.set(name, { at: cursor.at + length, position });
    for (const piece of pieces) to.push(piece);
    return bytes.byteLength;
  }

  function next(): readonly RecordedPiece[] {
    const behind = new Set<Stream>();
    const first = [...waiting, ...added(behind)];
    if (first.length === 0 && behind.size === 0) return [];
    const latest = first.reduce((most, { offset }) => Math.max(most, offset), -1);
    // A piece of the other stream may have been written before the last of these, after its file was read.
    const all = [...first, ...added(behind)].sort((a, b) => a.offset - b.offset);
    const until = Math.min(latest, ...[...behind].map((stream) => lastOffset[stream]));
    waiting = all.filter(({ offset }) => offset > until);
    return all.filter(({ offset }) => offset <= until);
  }

  return { next };
}

/** True for the name of a file of the output. */
export function isSegment(name: string): boolean {
  return NAME.test(name);
}

/** The files of the output, those of one stream in their order. */
export function segments(
  directory: string,
): readonly { readonly name: string; readonly stream: Stream; readonly start: number }[] {
  return readdirSync(directory)
    .flatMap((name) => {
      const [, stream, start] = NAME.exec(name) ?? [];
      return stream && start ? [{ name, stream: stream as Stream, start: Number(start) }] : [];
    })
    .sort((a, b) => a.start - b.start);
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
    const bytes = Buffer.alloc(Math.min(MOST_BYTES, Math.max(0, fstatSync(file).size - from)));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}
