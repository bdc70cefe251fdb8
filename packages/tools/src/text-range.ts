import type { ByteStream } from "@skillwright/core";
import { shownText } from "@skillwright/core/adapter";
import { decodedText } from "./files/decoded-text.js";
import { BUDGET_RESERVE } from "./result-budget.js";

const LONGEST_CHARACTER = 4;
/** Even fully escaped, this many bytes fit into the smallest budget. */
const SMALLEST_PART = 128;

export interface TextRange {
  readonly text: string;
  /** Offset of the next part; `undefined` at the end. */
  readonly nextOffset: number | undefined;
  /** True where the bytes are not text: they contain a NUL or are not UTF-8. */
  readonly binary: boolean;
}

/**
 * Reads `atMost` bytes (at least 4, so that every character fits) of the stream from `offset` on, as UTF-8 cut at whole
 * characters. Does not read further. An offset within a character starts at the next one.
 */
export async function textRange(stream: ByteStream, offset: number, atMost: number): Promise<TextRange> {
  const limit = Math.max(atMost, LONGEST_CHARACTER);
  const { bytes, more } = await byteRange(stream, offset, limit);
  const from = offset === 0 ? 0 : continuationBytes(bytes);
  const to = more ? wholeEnd(bytes) : bytes.byteLength;
  const whole = bytes.subarray(from, Math.max(from, to));
  const text = withoutMark(whole);
  return {
    text: text ?? "",
    nextOffset: more ? offset + Math.max(to, 1) : undefined,
    binary: text === undefined,
  };
}

/** Like `textRange`, with as many bytes as fit into a result's budget after escaping for the model. */
export async function shownRange(
  stream: ByteStream,
  offset: number,
  { limit, budget }: { readonly limit: number; readonly budget: number },
): Promise<TextRange> {
  const room = budget - BUDGET_RESERVE;
  const { bytes, more } = await byteRange(stream, offset, Math.max(Math.min(limit, room), LONGEST_CHARACTER));
  const from = offset === 0 ? 0 : continuationBytes(bytes);
  for (let length = bytes.byteLength; ; length = Math.floor(length / 2)) {
    const isAll = length === bytes.byteLength && !more;
    const to = isAll ? length : wholeEnd(bytes.subarray(0, length));
    const text = withoutMark(bytes.subarray(from, Math.max(from, to)));
    const fits =
      text === undefined || length <= SMALLEST_PART || JSON.stringify(shownText(text)).length <= room;
    if (!fits) continue;
    const nextOffset = isAll ? undefined : offset + Math.max(to, 1);
    return { text: text ?? "", nextOffset, binary: text === undefined };
  }
}

/** Number of bytes that fit into a result as base64. */
export function base64Bytes(budget: number): number {
  return Math.floor(((budget - BUDGET_RESERVE) * 3) / 4);
}

/** Reads at most `limit` bytes of the stream from `offset` on, and whether there are more. Does not read further. */
export async function byteRange(
  stream: ByteStream,
  offset: number,
  limit: number,
): Promise<{ readonly bytes: Uint8Array; readonly more: boolean }> {
  const pieces: Uint8Array[] = [];
  let position = 0;
  let more = false;
  for await (const piece of stream) {
    const start = Math.max(0, offset - position);
    const end = Math.min(piece.byteLength, offset + limit - position);
    if (start < end) pieces.push(piece.slice(start, end));
    position += piece.byteLength;
    more = position > offset + limit;
    if (more) break;
  }
  return { bytes: Buffer.concat(pieces), more };
}

/** Number of leading bytes that belong to an earlier character. */
function continuationBytes(bytes: Uint8Array): number {
  let count = 0;
  while (count < Math.min(3, bytes.byteLength) && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++;
  return count;
}

/** The length without an incomplete last character. */
function wholeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.byteLength); back++) {
    const byte = bytes[bytes.byteLength - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.byteLength - back : bytes.byteLength;
  }
  return bytes.byteLength;
}

function withoutMark(bytes: Uint8Array): string | undefined {
  return decodedText(bytes)?.replace(/^\ufeff/, "");
}
