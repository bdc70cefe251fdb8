import { containedPath, type SkillReader } from "@skillwright/core";
import { checkAborted, fileNotFound, taskQueue } from "@skillwright/core/adapter";
import { SMALL_BYTES, type StoredFile } from "./file-content.js";

const AHEAD_BYTES = 8 * 1024 * 1024;

export interface ReaderParts {
  readonly name: string;
  /** In the order in which they are usually requested. */
  readonly files: readonly StoredFile[];
  readonly parallel: number;
  bytes(file: StoredFile): Promise<Uint8Array>;
  stream(file: StoredFile): AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal | undefined;
}

/**
 * When files are requested in order, small files are read ahead, a limited number at a time and at most 8 MiB; large
 * ones are streamed.
 */
export function skillReader({ name, files, parallel, bytes, stream, signal }: ReaderParts): SkillReader {
  const positions = new Map(files.map(({ path }, index) => [path, index]));
  const ahead = new Map<string, { readonly content: Promise<Uint8Array>; readonly size: number }>();
  const requests = taskQueue(parallel);
  let aheadBytes = 0;
  let next = 0;

  return async (path) => {
    checkAborted(signal);
    const position = positions.get(containedPath(path));
    const file = position === undefined ? undefined : files[position];
    if (!file) throw fileNotFound(name, path);
    if (file.size > SMALL_BYTES) return stream(file);
    const taken = ahead.get(path);
    ahead.delete(path);
    aheadBytes -= taken?.size ?? 0;
    const content = taken?.content ?? requests.run(() => bytes(file));
    if (position !== undefined) readAhead(position + 1);
    return await content;
  };

  function readAhead(from: number): void {
    if (next < from) next = from;
    for (; next < files.length && next < from + parallel; next++) {
      const file = files[next];
      if (!file || file.size > SMALL_BYTES) continue;
      if (aheadBytes + file.size > AHEAD_BYTES) return;
      const content = requests.run(() => bytes(file));
      // The error is reported when the file is requested, which may never happen.
      content.catch(() => undefined);
      ahead.set(file.path, { content, size: file.size });
      aheadBytes += file.size;
    }
  }
}
