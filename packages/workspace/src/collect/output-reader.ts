import { abortable, type ByteStream, type CallOptions } from "@skillwright/core";

/** One output's bytes, of which the beginning may be looked at before all of them are read. Opened when first needed. */
export interface OutputReader {
  /** The first bytes, at most `limit`. Rejects where the file cannot be opened or read. */
  head(limit: number): Promise<Uint8Array>;
  /** All bytes from the first one on, also after `head`. To be read once. */
  whole(): ByteStream;
  /** Lets go of what is not read, without waiting for it. */
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

  /** A stream that broke says afterwards that it is at its end, and half a file must not look like a whole one. */
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
    void opening?.then((pieces) => pieces.return?.()).catch(() => undefined);
  }

  return { head, whole, close };
}
