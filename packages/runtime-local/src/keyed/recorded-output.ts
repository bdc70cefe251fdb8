import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import type { RunOutput } from "@skillwright/core";
import { piecesIn, type RecordedPiece } from "@skillwright/supervisor";

/** Reads the pieces that were added since the last call, in the order of their offsets. */
export interface OutputReader {
  next(): readonly RecordedPiece[];
}

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
    const { pieces, length } = piecesIn(bytes, { stream, position: cursor.position });
    const last = pieces.at(-1);
    const position = last ? last.position + last.bytes.byteLength : cursor.position;
    cursors.set(name, { at: cursor.at + length, position });
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
