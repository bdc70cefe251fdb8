import type { ByteSource, ByteStream, SkillReader } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import { readUnchanged, type SeenFile } from "../files/read-unchanged.js";

const AHEAD_FILES = 32;

/**
 * Reads small files from where they were when the skill was loaded: equal content is valid, whatever happened in
 * between. When files are requested in order, the next ones are read ahead, at most 8 MiB. Everything else is opened
 * like a single file.
 * @param places Files by path, in order.
 */
export function skillReader(
  places: ReadonlyMap<string, SeenFile> | undefined,
  open: (path: string) => Promise<ByteStream>,
  signal: AbortSignal | undefined,
): SkillReader {
  const paths = [...(places?.keys() ?? [])];
  let ahead = new Map<string, Promise<Uint8Array | undefined>>();
  let next = 0;

  function readAhead(path: string): void {
    const inOrder = paths[next] === path;
    const wanted = inOrder ? paths.slice(next, next + AHEAD_FILES) : [path];
    if (inOrder) next += wanted.length;
    const all = readUnchanged(wanted.map((each) => places?.get(each) as SeenFile));
    // Unclaimed files are dropped once concurrent readers are past them.
    if (ahead.size > AHEAD_FILES) ahead = new Map();
    for (const [index, each] of wanted.entries())
      ahead.set(
        each,
        all.then((bytes) => bytes[index]),
      );
  }

  async function read(path: string): Promise<ByteSource> {
    checkAborted(signal);
    if (!places?.has(path)) return await open(path);
    if (!ahead.has(path)) readAhead(path);
    const bytes = ahead.get(path);
    ahead.delete(path);
    return (await bytes) ?? (await open(path));
  }

  async function locations(): Promise<ReadonlyMap<string, string>> {
    return new Map(Array.from(places ?? [], ([path, { location }]) => [path, location]));
  }

  return Object.assign(read, { locations });
}
