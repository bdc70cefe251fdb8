import type { FileHandle } from "node:fs/promises";

const FIRST_BACK_BYTES = 4 * 1024;
const PIECE_BYTES = 64 * 1024;

/** The position after the last line end before `size`, 0 where there is none. It is found from the end. */
export async function wholeEnd(file: FileHandle, size?: number): Promise<number> {
  let end = size ?? (await file.stat()).size;
  for (let length = FIRST_BACK_BYTES; end > 0; length *= 2) {
    const start = Math.max(0, end - length);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    const found = buffer.subarray(0, bytesRead).lastIndexOf(10);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}

/**
 * The lines between two positions where lines begin, without their ends, each with the position after it. Nothing behind `to` is
 * read: there another process may cut off and write again.
 */
export async function* wholeLines(
  file: FileHandle,
  from: number,
  to: number,
): AsyncGenerator<{ readonly line: Buffer; readonly next: number }> {
  let parts: Buffer[] = [];
  for (let at = from; at < to; ) {
    const length = Math.min(PIECE_BYTES, to - at);
    // A new one each time, because parts of lines stay in it.
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) return;
    const piece = buffer.subarray(0, bytesRead);
    let start = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
      parts.push(piece.subarray(start, end));
      start = end + 1;
      yield { line: Buffer.concat(parts), next: at + start };
      parts = [];
    }
    parts.push(piece.subarray(start));
    at += bytesRead;
  }
}
