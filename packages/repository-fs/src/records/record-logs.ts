import { type FileHandle, open } from "node:fs/promises";
import { ignoreGone } from "../files/errno.js";
import { lstat, truncateDescriptor, writeDescriptor } from "../files/file-system.js";
import { damagedLog, LINE_START_BYTES, type LogPlace, lineOf, rangeOf } from "./log-line.js";
import { wholeEnd } from "./whole-lines.js";

const LARGE_BYTES = 64 * 1024;

/** Cuts off what a killed process wrote of its last line, and returns the end of the log. Call it under the lock. */
export async function cutLog(path: string): Promise<LogPlace> {
  const file = await open(path, "r+").catch(ignoreGone);
  if (!file) return { at: 0, position: 0 };
  try {
    return await cut(file, path);
  } finally {
    await file.close();
  }
}

/** Adds entries as one line and returns the log's new length. Call it under the lock. */
export async function addToLog(path: string, entries: readonly string[]): Promise<number> {
  const file = await open(path, "a+", 0o600);
  try {
    const { at } = await cut(file, path);
    await write(file, lineOf(at, entries));
    return at + entries.length;
  } finally {
    await file.close();
  }
}

/** True where the line that begins at that size is in the file, and perhaps more. */
export async function hasLine(
  path: string,
  { size, line }: { size: number; line: string },
): Promise<boolean> {
  const stat = await lstat(path).catch(ignoreGone);
  return Number(stat?.size ?? 0) >= size + Buffer.byteLength(line);
}

/** Writes a line that a killed process wrote in part or not at all. Call it under the lock. */
export async function finishLine(
  path: string,
  { size, line }: { size: number; line: string },
): Promise<void> {
  const file = await open(path, "a+", 0o600);
  try {
    const found = (await file.stat()).size;
    if (found < size) throw damagedLog(path);
    if (found > size) await truncateDescriptor(file.fd, size);
    await write(file, line);
  } finally {
    await file.close();
  }
}

async function cut(file: FileHandle, path: string): Promise<LogPlace> {
  const { size } = await file.stat();
  const position = await wholeEnd(file, size);
  if (position < size) await truncateDescriptor(file.fd, position);
  if (position === 0) return { at: 0, position };
  const start = await wholeEnd(file, position - 1);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(LINE_START_BYTES), 0, LINE_START_BYTES, start);
  return { at: rangeOf(buffer.subarray(0, bytesRead), path).to, position };
}

async function write(file: FileHandle, line: string): Promise<void> {
  const bytes = Buffer.from(line);
  await writeDescriptor(file.fd, bytes, bytes.byteLength > LARGE_BYTES);
}
