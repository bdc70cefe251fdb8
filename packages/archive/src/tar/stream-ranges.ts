import { type ByteStream, SkillError } from "@skillwright/core";

/** Reads ranges of a stream in ascending order. */
export interface StreamRanges extends AsyncDisposable {
  /** Advances to `start`; ranges opened before cannot be read any more. @param label For messages. */
  open(start: number, size: number, label: string): Promise<ByteStream>;
}

export function streamRanges(source: AsyncGenerator<Uint8Array, void, undefined>): StreamRanges {
  let position = 0;
  let rest: Uint8Array = new Uint8Array(0);

  /** Returns up to `most` bytes; none at the end of the stream. */
  async function next(most: number): Promise<Uint8Array> {
    while (rest.byteLength === 0) {
      const piece = await source.next();
      if (piece.done) return rest;
      rest = piece.value;
    }
    const part = rest.subarray(0, most);
    rest = rest.subarray(part.byteLength);
    position += part.byteLength;
    return part;
  }

  async function* read(start: number, size: number, label: string): ByteStream {
    const end = start + size;
    for (let at = start; at < end; ) {
      if (position !== at) throw passed(label);
      const part = await next(end - at);
      if (part.byteLength === 0) throw passed(label);
      at += part.byteLength;
      yield part;
    }
  }

  return {
    async open(start, size, label) {
      while (position < start) if ((await next(start - position)).byteLength === 0) break;
      return read(start, size, label);
    },
    async [Symbol.asyncDispose]() {
      await source.return();
    },
  };
}

function passed(label: string): SkillError {
  const message = `The content of "${label}" can no longer be read. Read each file of an archive before requesting the next.`;
  return new SkillError("INPUT_INVALID", message);
}
