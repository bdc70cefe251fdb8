import { open } from "node:fs/promises";
import type { JsonValue } from "@skillwright/core";
import { ignoreGone } from "../files/errno.js";
import { damagedLog, entriesOf, type LogPlace, rangeOf } from "./log-line.js";
import { wholeEnd, wholeLines } from "./whole-lines.js";

const MAX_MARKS = 1000;

/** Reads logs, and remembers the places up to which it read, so that reading on does not begin at the start. */
export function logReader() {
  const reached = new Map<string, LogPlace & { readonly file: string }>();

  /** At most `limit` entries from that offset on; `undefined` where there is no file. */
  return async function read(
    path: string,
    from: number,
    limit: number,
  ): Promise<readonly JsonValue[] | undefined> {
    const file = await open(path, "r").catch(ignoreGone);
    if (!file) return undefined;
    try {
      const { ino, birthtimeNs } = await file.stat({ bigint: true });
      const id = `${ino} ${birthtimeNs}`;
      const end = await wholeEnd(file);
      const before = reached.get(path);
      const isUsable = before?.file === id && before.at <= from && before.position <= end;
      let place: LogPlace = isUsable ? before : { at: 0, position: 0 };
      const found: JsonValue[] = [];
      for await (const { line, next } of wholeLines(file, place.position, end)) {
        const { at, to } = rangeOf(line, path);
        if (at !== place.at) throw damagedLog(path);
        if (to > from) {
          const entries = entriesOf(line, path);
          for (const entry of entries.slice(Math.max(from - at, 0), from + limit - at)) found.push(entry);
        }
        if (to <= from + limit) place = { at: to, position: next };
        if (to >= from + limit) break;
      }
      remember(path, { ...place, file: id });
      return found;
    } finally {
      await file.close();
    }
  };

  function remember(path: string, mark: LogPlace & { readonly file: string }): void {
    reached.delete(path);
    reached.set(path, mark);
    const [oldest] = reached.keys();
    if (reached.size > MAX_MARKS && oldest !== undefined) reached.delete(oldest);
  }
}
