import type { ByteStream } from "@skillwright/core";
import { damaged, shown } from "../damaged.js";
import { extendedHeaders } from "./extended-headers.js";
import { BLOCK_BYTES, tarBlock } from "./tar-block.js";

const EXTENDED = new Set(["x", "g", "L", "K", "N"]);
const MAX_EXTENDED_BYTES = 1024 * 1024;

/**
 * Passes the bytes of a tar through and checks what its decoder does not expose: headers that precede other headers,
 * sizes in unusual notation, folders, links and special files with a body, unknown types, bytes after the end. Readers differ on all of them.
 * @throws SkillError `SKILL_INVALID`.
 */
export async function* watchedTar(source: ByteStream): ByteStream {
  const watch = tarWatch();
  for await (const piece of source) {
    watch.take(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    yield piece;
  }
  watch.end();
}

function tarWatch() {
  let skip = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let extendedHeader: { readonly type: string; readonly size: number } | undefined;
  let headers = extendedHeaders();
  let ended = false;

  function take(piece: Buffer): void {
    let at = 0;
    while (at < piece.length) {
      const need =
        skip > 0 ? skip : (extendedHeader ? padded(extendedHeader.size) : BLOCK_BYTES) - pendingBytes;
      const part = piece.subarray(at, at + need);
      at += part.length;
      if (skip > 0) skip -= part.length;
      else keep(part, need);
    }
  }

  function keep(part: Buffer, need: number): void {
    pending.push(part);
    pendingBytes += part.length;
    if (part.length < need) return;
    const whole = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    if (extendedHeader) headers.add(extendedHeader.type, whole.subarray(0, extendedHeader.size));
    if (extendedHeader) extendedHeader = undefined;
    else header(whole);
  }

  function header(bytes: Buffer): void {
    const empty = bytes.every((byte) => byte === 0);
    if (ended && !empty) throw damaged("The tar has data after its end");
    ended = empty;
    if (empty) return;
    const block = tarBlock(bytes);
    if (!block) throw damaged("The gzip data does not contain a valid tar archive");
    const { type, size, name } = block;
    const written = shown(name.toString());
    if (size === undefined) throw damaged(`The entry ${written} has a size that is not a plain octal number`);
    if (EXTENDED.has(type)) {
      if (size === 0 || size > MAX_EXTENDED_BYTES)
        throw damaged(
          `The extended header ${written} has ${size} bytes; 1 to ${MAX_EXTENDED_BYTES} are read`,
        );
      extendedHeader = { type, size };
      return;
    }
    // The rules may leave out a link or special file and accept the archive, so entries of every type are checked.
    headers.check(block, size);
    headers = extendedHeaders();
    skip = padded(size);
  }

  function end(): void {
    if (skip > 0 || pendingBytes > 0 || extendedHeader || !headers.empty)
      throw damaged("The tar ends in the middle of an entry");
  }

  return { take, end };
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
}
