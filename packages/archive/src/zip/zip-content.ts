import { crc32 } from "node:zlib";
import type { ByteStream } from "@skillwright/core";
import { damaged, shown } from "../damaged.js";
import { inflate } from "../inflate.js";
import type { ZipEntry } from "./open-zip.js";

/**
 * Streams the file, never more than declared. @throws SkillError `SKILL_INVALID` where it differs from its declaration.
 */
export async function* zipContent(bytes: Buffer, entry: ZipEntry): ByteStream {
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
  if (summary.consumed !== packedSize) throw damaged(`${what} has bytes behind its packed data`);
  if (summary.crc32 !== entry.crc32) throw damaged(`${what} does not match its checksum`);
}
