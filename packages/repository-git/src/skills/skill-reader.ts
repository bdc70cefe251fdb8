import { type ByteSource, containedPath, type SkillReader } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { GitProgram } from "../process/git-program.js";
import { type Blob, readBlobs } from "./read-blobs.js";
import type { TreeEntry } from "./tree-entries.js";

const AHEAD_BYTES = 4 * 1024 * 1024;
const LARGE_BYTES = 1024 * 1024;

/**
 * When files are requested in order, small files are read ahead, several with one process: at most 4 MiB. Large and
 * missing files are opened like a single file.
 */
export function skillReader(
  git: GitProgram,
  gitDirectory: string,
  {
    files,
    open,
    signal,
  }: {
    files: readonly TreeEntry[];
    open: (path: string) => Promise<ByteSource>;
    signal: AbortSignal | undefined;
  },
): SkillReader {
  const small = files.filter(({ size }) => size <= LARGE_BYTES);
  const positions = new Map(small.map(({ path }, index) => [path, index]));
  let ahead = new Map<string, Promise<Uint8Array | undefined>>();

  return async (path) => {
    checkAborted(signal);
    const position = positions.get(containedPath(path));
    if (position === undefined) return await open(path);
    if (!ahead.has(path)) readAhead(position);
    const bytes = ahead.get(path);
    ahead.delete(path);
    return (await bytes) ?? (await open(path));
  };

  /** Unclaimed files are dropped. */
  function readAhead(from: number): void {
    let bytes = 0;
    const enough = small.findIndex(({ size }, index) => {
      bytes += index < from ? 0 : size;
      return index > from && bytes > AHEAD_BYTES;
    });
    const wanted = small.slice(from, enough === -1 ? undefined : enough);
    const blobs = readAll(wanted);
    ahead = new Map(
      wanted.map(({ path }, index) => {
        const content = blobs.then((all) => all[index]?.bytes);
        // The error is reported when the file is requested, which may never happen.
        content.catch(() => undefined);
        return [path, content];
      }),
    );
  }

  async function readAll(wanted: readonly TreeEntry[]): Promise<readonly Blob[]> {
    const blobs: Blob[] = [];
    for await (const blob of readBlobs(git, gitDirectory, wanted, signal)) blobs.push(blob);
    return blobs;
  }
}
