import type { ByteStream, CallOptions } from "@skillwright/core";
import { abortable } from "@skillwright/core/adapter";

/** Reads one output. The beginning can be inspected before everything is read. The file is opened on first use. */
export interface OutputReader {
  /** Returns at most the first `limit` bytes. Rejects where the file cannot be opened or read. */
  head(limit: number): Promise<Uint8Array>;
  /** Streams all bytes from the start, also after `head`. May be called once. */
  whole(): ByteStream;
  /** Releases what was not read, without waiting. */
  close(): void;
}

export function outputReader(open: () => Promise<ByteStream>, { signal }: CallOptions): OutputReader {
  let opening: Promise<AsyncIterator<Uint8Array>> | undefined;
  const seen: Uint8Array[] = [];
  let broken: { readonly error: unknown } | undefined;

  async function stream(): Promise<AsyncIterator<Uint8Array>> {
    opening ??= open().then((content) => abortable(content, signal)[Symbol.asyncIterator]());
    return await opening;
  }

  /** After an error a stream reports its end, and half a file must not look complete. */
  async function piece(): Promise<IteratorResult<Uint8Array, unknown>> {
    if (broken) throw broken.error;
    try {
      return await (await stream()).next();
    } catch (error) {
      broken = { error };
      throw error;
    }
  }

  async function head(limit: number): Promise<Uint8Array> {
    for (let size = 0; size < limit; ) {
      const next = await piece();
      if (next.done) break;
      seen.push(next.value);
      size += next.value.byteLength;
    }
    return Buffer.concat(seen).subarray(0, limit);
  }

  async function* whole(): ByteStream {
    for (let first = seen.shift(); first; first = seen.shift()) yield first;
    for (let next = await piece(); !next.done; next = await piece()) yield next.value;
  }

  function close(): void {
    // Nothing is read any more. Reading has thrown why it could not be opened.
    void opening?.then((pieces) => pieces.return?.()).catch(() => undefined);
  }

  return { head, whole, close };
}
