import { crc32 } from "node:zlib";
import type { ByteStream, Diagnostic } from "@skillwright/core";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { damaged, shown } from "../damaged.js";
import { inflate } from "../inflate.js";
import type { OpenedFormat } from "../opened-format.js";
import { unmarkedScripts } from "./unmarked-scripts.js";
import { checkDirectory, readEndRecord, withoutPadding, type ZipEndRecord } from "./zip-directory.js";
import type { ZipEntry } from "./zip-entry.js";
import { zipKind } from "./zip-kind.js";
import { checkCentralSizes, checkLayout, checkLocalHeader } from "./zip-local-header.js";
import { zipName } from "./zip-name.js";

/** Reads the central directory, passes each entry to `take`, which tells whether it is a file of the skill, and compares it with the archive's content. */
export async function openZip(
  file: Buffer,
  take: (entry: ZipEntry) => boolean,
): Promise<OpenedFormat<ZipEntry>> {
  const bytes = withoutPadding(file);
  const zip = await fromBufferPromise(bytes, { decodeStrings: false, validateEntrySizes: false }).catch(
    (error: unknown) => {
      throw damaged("The archive starts like a zip but cannot be read as one", error);
    },
  );
  const end = readEndRecord(bytes, zip.comment.length);
  const entries: ZipEntry[] = [];
  const taken: ZipEntry[] = [];
  const diagnostics: Diagnostic[] = [];
  let directorySize = 0;
  for await (const header of headersOf(zip)) {
    const { name, diagnostics: aboutName } = zipName(header);
    checkCentralSizes(bytes, end.directoryStart + directorySize, header, name);
    const entry = await entryOf(zip, header, name);
    if (take(entry)) taken.push(entry);
    entries.push(entry);
    diagnostics.push(...aboutName);
    directorySize += 46 + header.fileNameLength + header.extraFieldLength + header.fileCommentLength;
  }
  checkDirectory(end, directorySize);
  checkLayout(bytes, entries, end.directoryStart);
  return {
    diagnostics: [...aboutComment(end), ...diagnostics, ...unmarkedScripts(bytes, taken)],
    contents,
  };

  async function* contents(files: Parameters<OpenedFormat<ZipEntry>["contents"]>[0]) {
    for (const file of files) yield { file, content: zipContent(bytes, file.entry) as ByteStream };
  }
}

async function* headersOf(zip: ZipFile): AsyncGenerator<Entry, void, undefined> {
  const entries = zip.eachEntry();
  for (;;) {
    const next = await entries.next().catch((error: unknown) => {
      throw damaged(`Entry ${zip.entriesRead + 1} of the zip cannot be read`, error);
    });
    if (next.done) return;
    yield next.value;
  }
}

async function entryOf(zip: ZipFile, header: Entry, name: string): Promise<ZipEntry> {
  const local = await zip.readLocalFileHeaderPromise(header).catch((error: unknown) => {
    throw damaged(`The entry ${shown(name)} has no local header`, error);
  });
  checkLocalHeader(header, local, name);
  const mode = header.externalFileAttributes >>> 16;
  return {
    name,
    kind: zipKind(header, name),
    size: header.uncompressedSize,
    packedSize: header.compressedSize,
    mode: mode & 0o7777,
    compressed: header.compressionMethod === 8,
    crc32: header.crc32,
    start: header.relativeOffsetOfLocalHeader,
    dataStart: local.fileDataStart,
    hasDescriptor: (header.generalPurposeBitFlag & 8) !== 0,
  };
}

function aboutComment({ commentLength }: ZipEndRecord): Diagnostic[] {
  if (commentLength === 0) return [];
  const message = `The archive has a comment of ${commentLength} bytes, which is not part of the skill; it is left out.`;
  return [{ code: "archive.comment", severity: "info", message, hint: "Nothing needs to be done." }];
}

/**
 * Streams the file, never more than declared. @throws SkillError `SKILL_INVALID` where it differs from its declaration.
 */
async function* zipContent(bytes: Buffer, entry: ZipEntry): ByteStream {
  const { dataStart, packedSize, size, compressed } = entry;
  const packed = bytes.subarray(dataStart, dataStart + packedSize);
  const what = `The entry ${shown(entry.name)}`;
  if (!compressed || (size === 0 && packedSize === 0)) {
    if (crc32(packed) !== entry.crc32) throw damaged(`${what} does not match its checksum`);
    if (size > 0) yield packed;
    return;
  }
  const exceeded = () => damaged(`${what} has more than the ${size} bytes it declares`);
  const summary = yield* inflate(packed, { what, limit: size, exceeded });
  if (summary.size !== size) throw damaged(`${what} has fewer than the ${size} bytes it declares`);
  if (summary.consumed !== packedSize) throw damaged(`${what} has extra bytes after its packed data`);
  if (summary.crc32 !== entry.crc32) throw damaged(`${what} does not match its checksum`);
}
