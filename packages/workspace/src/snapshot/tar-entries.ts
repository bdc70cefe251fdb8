import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type ByteStream, SkillError } from "@skillwright/core";
import type { ArchiveEntry, ArchiveEntryKind } from "@skillwright/core/adapter";
import type { Header } from "tar-stream";
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
  /** Read it before requesting the next entry; the unread rest is discarded then. */
  readonly content: ByteStream;
}

/**
 * Yields the entries of a tar.gz in order.
 * @throws SkillError `LIMIT_EXCEEDED` once more than `limit` bytes were unpacked, of any kind; `INPUT_INVALID` for
 * unreadable data, after the last entry at the latest.
 */
export async function* tarEntries(
  packed: ByteStream,
  limit: number,
): AsyncGenerator<TarEntry, void, undefined> {
  const { extract } = await import("tar-stream");
  const decoder = extract();
  const limited = (unpacked: ByteStream) => limitedStream(unpacked, limit);
  const flow = pipeline(
    Readable.from(packed),
    createGunzip(),
    limited,
    decoder as unknown as NodeJS.WritableStream,
  );
  // Its failure is thrown by the await below.
  flow.catch(() => undefined);
  try {
    for await (const body of decoder) {
      yield { header: entryHeader(body.header), content: body as ByteStream };
      body.resume();
    }
    await flow;
  } catch (error) {
    throw SkillError.is(error) ? error : damagedSnapshot("It is not a complete tar.gz", error);
  } finally {
    decoder.destroy();
  }
}

function entryHeader({ name, type, size, mode }: Header): ArchiveEntry {
  return { name, kind: KINDS[type ?? ""] ?? "other", size, mode };
}
