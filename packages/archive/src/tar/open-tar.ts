import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SkillError } from "@skillwright/core";
import type { ArchiveEntry, ArchiveEntryKind, UploadLimits } from "@skillwright/core/adapter";
import { extract, type Header } from "tar-stream";
import type { TakenFile } from "../archive-intake.js";
import { damaged } from "../damaged.js";
import type { OpenedFormat } from "../opened-format.js";
import { isBomb } from "../rules/entry-refusal.js";
import { gzipContent } from "./gzip-content.js";
import { streamRanges } from "./stream-ranges.js";
import { watchedTar } from "./watched-tar.js";

export interface TarEntry extends ArchiveEntry {
  /** Offset of its body in the unpacked tar. */
  readonly start: number;
}

/** The decoder also provides the body's offset, which its types omit. */
type TarHeader = Header & { readonly byteOffset: number };

/** Unpacked bytes for each packed one that an archive may have on top of the skill. */
const LEFT_OUT_RATIO = 200;

const KINDS: Readonly<Record<string, ArchiveEntryKind>> = {
  file: "file",
  directory: "folder",
  link: "hard link",
  symlink: "symbolic link",
  "character-device": "device",
  "block-device": "device",
  fifo: "pipe",
};

/**
 * Inflates the archive once from end to end, keeping only the position of each file, and passes each entry to `take`, which tells
 * whether it is a file of the skill; only those count as the skill's bytes.
 * @param leavesOut True where directories are left out. Their content has no limit of its own: it is inflated as long
 * as the whole stays below 200 times the packed bytes, on top of what the limits allow.
 */
export async function openTar(
  bytes: Buffer,
  { limits, leavesOut }: { readonly limits: UploadLimits; readonly leavesOut: boolean },
  take: (entry: TarEntry) => boolean,
): Promise<OpenedFormat<TarEntry>> {
  const limit = tarBytes(limits) + (leavesOut ? bytes.length * LEFT_OUT_RATIO : 0);
  let declared = 0;
  const decoder = extract();
  decoder.on("entry", (header, body, next) => {
    // The decoder ends an unfinished body with the same error that it throws itself.
    body.on("error", () => undefined);
    try {
      const entry = entryOf(header as TarHeader);
      if (take(entry)) declared += entry.size;
      body.once("end", next);
      body.resume();
    } catch (error) {
      next(error as Error);
    }
  });
  await pipeline(Readable.from(watchedTar(gzipContent(bytes, limit)), { objectMode: false }), decoder).catch(
    (error: unknown) => {
      throw damaged("The tar cannot be read", error);
    },
  );
  if (isBomb(declared, bytes.length)) throw tooDense(declared, bytes.length);
  return { diagnostics: [], contents };

  async function* contents(files: readonly TakenFile<TarEntry>[]) {
    await using ranges = streamRanges(gzipContent(bytes, limit));
    for (const file of files)
      yield { file, content: await ranges.open(file.entry.start, file.entry.size, file.path) };
  }
}

function entryOf({ name, type, size, mode, byteOffset }: TarHeader): TarEntry {
  return { name, kind: KINDS[type ?? ""] ?? "other", size, mode, start: byteOffset };
}

/** The files, a long-name header for every allowed entry, and the blocks of zeros at the end. */
function tarBytes({ bytes, files }: UploadLimits): number {
  return bytes + (files * 4 + 64) * 4096 + 1024 * 1024;
}

function tooDense(size: number, packed: number): SkillError {
  const message = `The archive claims to unpack ${packed} bytes to ${size}, more than 200 times as many. If that is correct, pack it as zip or uncompressed.`;
  return new SkillError("LIMIT_EXCEEDED", message);
}
