import { type JsonValue, SkillError } from "@skillwright/core";

/** A line has the entries of one call: `{"at":<offset of the first>,"to":<that after the last>,"entries":[...]}`. */
const LINE = /^\{"at":(\d+),"to":(\d+),"entries":\[/;
/** The first bytes of a line, which contain its `at` and `to`. */
export const LINE_START_BYTES = 80;

/** The end of a log, or the beginning of a line in it. */
export interface LogPlace {
  /** The number of entries before it. */
  readonly at: number;
  /** In bytes. */
  readonly position: number;
}

export function lineOf(at: number, entries: readonly string[]): string {
  return `{"at":${at},"to":${at + entries.length},"entries":[${entries.join(",")}]}\n`;
}

export function rangeOf(line: Buffer, path: string): { at: number; to: number } {
  const [, at, to] = LINE.exec(line.toString("latin1", 0, LINE_START_BYTES)) ?? [];
  if (at === undefined) throw damagedLog(path);
  return { at: Number(at), to: Number(to) };
}

export function entriesOf(line: Buffer, path: string): readonly JsonValue[] {
  try {
    return JSON.parse(line.toString()).entries;
  } catch {
    throw damagedLog(path);
  }
}

export function damagedLog(path: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The log ${path} is damaged. Delete the record that it belongs to.`,
  );
}
