import { type ByteSource, type ByteStream, byteStream, type CallOptions } from "@skillwright/core";
import { abortable } from "@skillwright/core/adapter";
import { type Spool, spool } from "./spool.js";

const MEMORY_BYTES = 1024 * 1024;

/** Content of known size, as an archive needs it. Disposing frees its storage. */
export interface SizedContent extends AsyncDisposable {
  readonly size: number;
  /** The whole content, where it is in memory. */
  readonly bytes: Uint8Array | undefined;
  /** May be called once. */
  readonly stream: () => ByteStream;
}

/** Reads the source to its end; content above 1 MiB is stored in a spool. */
export async function sizedContent(source: ByteSource, { signal }: CallOptions = {}): Promise<SizedContent> {
  if (typeof source === "string") return inMemory(Buffer.from(source));
  if (source instanceof Uint8Array) return inMemory(source);
  let pieces: Buffer[] = [];
  let size = 0;
  let spooled: Spool | undefined;
  try {
    for await (const piece of abortable(byteStream(source), signal)) {
      // Copied, because a source may reuse its buffer.
      pieces.push(Buffer.from(piece));
      size += piece.byteLength;
      if (size < MEMORY_BYTES) continue;
      spooled ??= spool();
      for (const waiting of pieces) await spooled.append(waiting);
      pieces = [];
    }
  } catch (error) {
    await spooled?.[Symbol.asyncDispose]();
    throw error;
  }
  if (!spooled) return inMemory(Buffer.concat(pieces));
  for (const waiting of pieces) await spooled.append(waiting);
  const { read } = spooled;
  return {
    size,
    bytes: undefined,
    stream: () => read(0, size),
    [Symbol.asyncDispose]: spooled[Symbol.asyncDispose],
  };
}

function inMemory(bytes: Uint8Array): SizedContent {
  return {
    size: bytes.byteLength,
    bytes,
    stream: () => byteStream(bytes),
    [Symbol.asyncDispose]: async () => undefined,
  };
}
