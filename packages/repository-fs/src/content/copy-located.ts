import { sep } from "node:path";
import type { ManifestFile, SkillReader } from "@skillwright/core";
import { checkAborted, untilAborted } from "@skillwright/core/adapter";
import { atOnce } from "../files/at-once.js";
import { readNow, readUnchanged, type SeenFile, SMALL_BYTES } from "../files/read-unchanged.js";
import { type WholeFile, writeFileNow, writeWhole } from "../files/write-whole.js";
import { finalMode } from "./write-group.js";

const FILES_AT_ONCE = 16;
/** Calls per file, as `pace` counts them where files are read and written one after the other. */
const CALLS_A_FILE = 2;

/**
 * Copies the small files of a manifest whose location the reader knows, and verifies every byte between reading and
 * writing. Returns the remaining files: large ones, and those that differ from the manifest.
 */
export async function copyLocated(
  directory: string,
  files: readonly ManifestFile[],
  open: SkillReader,
  signal: AbortSignal,
): Promise<readonly ManifestFile[]> {
  if (!open.locations) return files;
  // Opening a file reports what is wrong with the skill.
  const asked = open.locations().catch(() => new Map<string, string>());
  const locations = await untilAborted(asked, signal);
  if (locations.size === 0) return files;
  return await copyEach(files, { directory, locations, signal });
}

interface Copying {
  readonly directory: string;
  readonly locations: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

async function copyEach(files: readonly ManifestFile[], copying: Copying): Promise<readonly ManifestFile[]> {
  const room = new Uint8Array(SMALL_BYTES + 1);
  const left: ManifestFile[] = [];
  for (let from = 0; from < files.length; from += FILES_AT_ONCE) {
    checkAborted(copying.signal);
    const some = files.slice(from, from + FILES_AT_ONCE);
    const rest = await atOnce(
      () => copyNow(some, copying, room),
      (done) =>
        void copyLater(some, copying).then(
          (all) => done(null, all),
          (error: Error) => done(error, []),
        ),
      some.length * CALLS_A_FILE,
    );
    left.push(...rest);
  }
  return left;
}

/** A single loop over one buffer: a promise and a buffer per file would take as long as the system calls. */
function copyNow(
  some: readonly ManifestFile[],
  { directory, locations }: Copying,
  room: Uint8Array,
): readonly ManifestFile[] {
  // Valid only within one call: the process's umask may change before the next.
  const unmasked = new Set<number>();
  return some.filter((file) => {
    const seen = seenFile(file, locations);
    const bytes = seen && readNow(seen, room.subarray(0, file.size + 1));
    if (bytes) writeFileNow(wholeFile(directory, file, bytes), unmasked);
    return !bytes;
  });
}

/** The same for slow disks. */
async function copyLater(
  some: readonly ManifestFile[],
  { directory, locations, signal }: Copying,
): Promise<readonly ManifestFile[]> {
  const seen = some.flatMap((file) => {
    const found = seenFile(file, locations);
    return found ? [{ file, found }] : [];
  });
  const bytes = await untilAborted(readUnchanged(seen.map(({ found }) => found)), signal);
  const copied = new Map(seen.map(({ file }, index) => [file, bytes[index]]));
  await writeWhole(
    [...copied].flatMap(([file, content]) => (content ? [wholeFile(directory, file, content)] : [])),
  );
  return some.filter((file) => !copied.get(file));
}

function seenFile(
  { path, size, sha256 }: ManifestFile,
  locations: Copying["locations"],
): SeenFile | undefined {
  const location = locations.get(path);
  return location === undefined || size > SMALL_BYTES ? undefined : { location, size, same: { sha256 } };
}

function wholeFile(directory: string, { path, executable }: ManifestFile, bytes: Uint8Array): WholeFile {
  return { path: directory + sep + path, bytes, finalMode: finalMode(executable) };
}
