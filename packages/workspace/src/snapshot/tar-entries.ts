import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type ArchiveEntry, type ArchiveEntryKind, type ByteStream, SkillError } from "@skillwright/core";
import { extract, type Header } from "tar-stream";
import { limitedStream } from "../waiting/limited-stream.js";
import { damagedSnapshot } from "./damaged-snapshot.js";

const KINDS: Readonly<Record<string, ArchiveEntryKind>> = {
  file: "file",
  directory: "folder",
  link: "hard link",
  symlink: "symbolic link",
  "character-device": "device",
  "block-device": "device",
  fifo: "pipe",
};

export interface TarEntry {
  readonly header: ArchiveEntry;
  /** To be read before the next entry is asked for; what is left of it then is passed over. */
  readonly content: ByteStream;
}

/**
 * The entries of a tar.gz in their order.
 * @throws SkillError `LIMIT_EXCEEDED` once more than `limit` bytes came out of the gzip data, whatever they are;
 *   `INPUT_INVALID` for what cannot be read, after the last entry at the latest.
 */
export async function* tarEntries(
  packed: ByteStream,
  limit: number,
): AsyncGenerator<TarEntry, void, undefined> {
  const decoder = extract();
  const limited = (unpacked: ByteStream) => limitedStream(unpacked, limit);
  const flow = pipeline(
    Readable.from(packed),
    createGunzip(),
    limited,
    decoder as unknown as NodeJS.WritableStream,
  );
  flow.catch(() => undefined);
  try {
    for await (const body of decoder) {
      yield { header: entryHeader(body.header), content: body as ByteStream };
      body.resume();
    }
    await flow;
  } catch (error) {
    throw SkillError.is(error) ? error : damagedSnapshot("It is no whole tar.gz", error);
  } finally {
    decoder.destroy();
  }
}

function entryHeader({ name, type, size, mode }: Header): ArchiveEntry {
  return { name, kind: KINDS[type ?? ""] ?? "other", size, mode };
}
