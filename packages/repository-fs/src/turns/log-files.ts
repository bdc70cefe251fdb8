import { type FileHandle, open } from "node:fs/promises";
import { ignoreGone } from "../files/errno.js";

/** Files of lines that only grow. */
export interface LogFiles {
  /** Adds whole lines, each with its line end, and returns the number of lines; call it under a lock. */
  append(path: string, lines: readonly string[]): Promise<number>;
  /** At most `limit` whole lines from that number on; none where there is no file. */
  read(path: string, from: number, limit: number): Promise<readonly string[]>;
}

/** The position in bytes where a line of that number begins. */
interface Mark {
  /** Identifies the file, which another one of the same name may have replaced. */
  readonly file: string;
  readonly line: number;
  readonly position: number;
}

const PIECE_BYTES = 64 * 1024;
const MAX_MARKS = 1000;

/** Remembers where it was in the files that it used last, so that reading on does not begin at the start. */
export function logFiles(): LogFiles {
  const ends = new Map<string, Mark>();
  const reached = new Map<string, Mark>();

  return {
    append: async (path, lines) => {
      const file = await open(path, "a+", 0o600);
      try {
        const { size, start } = await startOf(file);
        const known = ends.get(path);
        const isKnown = known?.file === start.file && known.position === size;
        const end = isKnown ? known : await endOf(file, start);
        // What a killed process wrote of its last line.
        if (end.position < size) await file.truncate(end.position);
        const bytes = Buffer.from(lines.join(""));
        if (bytes.length > 0) await file.writeFile(bytes);
        const line = end.line + lines.length;
        remember(ends, path, { ...start, line, position: end.position + bytes.length });
        return line;
      } finally {
        await file.close();
      }
    },
    read: async (path, from, limit) => {
      const file = await open(path, "r").catch(ignoreGone);
      if (!file) return [];
      try {
        const { size, start } = await startOf(file);
        const before = reached.get(path) ?? start;
        const isUsable = before.file === start.file && before.line <= from && before.position <= size;
        const lines: string[] = [];
        let at = isUsable ? before : start;
        for await (const [line, next] of linesOf(file, at)) {
          if (at.line >= from) lines.push(line);
          at = next;
          if (lines.length >= limit) break;
        }
        remember(reached, path, at);
        return limit > 0 ? lines : [];
      } finally {
        await file.close();
      }
    },
  };
}

async function startOf(file: FileHandle): Promise<{ readonly size: number; readonly start: Mark }> {
  const { size, ino, birthtimeMs } = await file.stat();
  return { size, start: { file: `${ino} ${birthtimeMs}`, line: 0, position: 0 } };
}

/** The end of the last whole line. */
async function endOf(file: FileHandle, from: Mark): Promise<Mark> {
  let end = from;
  for await (const [, next] of linesOf(file, from)) end = next;
  return end;
}

/** Whole lines without their ends, each with the mark of the line after it. */
async function* linesOf(file: FileHandle, from: Mark): AsyncGenerator<readonly [string, Mark]> {
  const piece = Buffer.alloc(PIECE_BYTES);
  let open = Buffer.alloc(0);
  let next = from;
  for (let at = from.position; ; ) {
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    open = Buffer.concat([open, piece.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = open.indexOf(10); end >= 0; end = open.indexOf(10, start)) {
      next = { ...from, line: next.line + 1, position: next.position + end + 1 - start };
      yield [open.subarray(start, end).toString("utf8"), next];
      start = end + 1;
    }
    open = open.subarray(start);
  }
}

function remember(marks: Map<string, Mark>, path: string, mark: Mark): void {
  marks.delete(path);
  marks.set(path, mark);
  const [oldest] = marks.keys();
  if (marks.size > MAX_MARKS && oldest !== undefined) marks.delete(oldest);
}
