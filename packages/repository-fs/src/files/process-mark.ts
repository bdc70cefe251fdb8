import { stat } from "node:fs/promises";
import { hasProcessEnded, processMark } from "@skillwright/core/adapter";

/** Age after which an untouched leftover of another machine's process counts as dead. */
const FOREIGN_MS = 24 * 60 * 60 * 1000;

let count = 0;

/** Creates a file name part that identifies this process and is unique: its mark and a number. */
export async function newProcessMark(): Promise<string> {
  // Taken before the wait, because another call may increment the count meanwhile.
  const number = ++count;
  return `${await processMark()}-${number}`;
}

/**
 * True where the process that created this mark has ended. For another machine's process this cannot be determined: it
 * counts as dead when the marked file was not touched for `foreignMs` (default one day).
 * @param path The file or directory that bears the mark.
 */
export async function isDead(mark: string, path: string, foreignMs = FOREIGN_MS): Promise<boolean> {
  return (await hasProcessEnded(ofProcess(mark))) ?? (await isOld(path, foreignMs));
}

function ofProcess(mark: string): string {
  return mark.replace(/-\d+$/, "");
}

async function isOld(path: string, foreignMs: number): Promise<boolean> {
  // What cannot be looked at counts as in use.
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > foreignMs;
}
