import type { RunOutput } from "@skillwright/core";

/**
 * Small pieces of one stream share a block, so that a command that writes single bytes does not allocate an object for
 * each.
 */
const MAX_BLOCK_BYTES = 512;

interface Block {
  readonly stream: RunOutput["stream"];
  readonly offset: number;
  readonly bytes: Uint8Array;
  length: number;
}

/** Takes the place of a block whose memory is released. */
const NOTHING: Block = { stream: "stdout", offset: 0, bytes: new Uint8Array(0), length: 0 };

/**
 * The latest output of both streams in order of arrival, addressed by offset. When `limit` is exceeded, the oldest
 * output is dropped.
 */
export class LiveOutput {
  readonly #limit: number;
  readonly #blockBytes: number;
  #blocks: Block[] = [];
  /** Blocks before this index are dropped; they are removed from the array in batches. */
  #first = 0;
  #held = 0;
  #end = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#blockBytes = Math.min(MAX_BLOCK_BYTES, Math.max(16, limit >> 4));
  }

  /** Copies the piece. It begins at or after the end of what was appended before. */
  append({ stream, offset, bytes }: RunOutput): void {
    const last = offset === this.#end ? this.#blocks.at(-1) : undefined;
    if (last?.stream === stream && last.length + bytes.byteLength <= last.bytes.byteLength) {
      last.bytes.set(bytes, last.length);
      last.length += bytes.byteLength;
    } else this.#addBlock(stream, offset, bytes);
    this.#end = offset + bytes.byteLength;
  }

  /** Offset after the last piece. */
  end(): number {
    return this.#end;
  }

  /** The first piece that has bytes at or after the position. */
  after(position: number): RunOutput | undefined {
    const block = this.#blocks[this.#indexAfter(position)];
    if (!block) return undefined;
    const skipped = Math.max(0, position - block.offset);
    // Copied, because a reader may change the returned bytes.
    const bytes = block.bytes.slice(skipped, block.length);
    return { stream: block.stream, offset: block.offset + skipped, bytes };
  }

  #addBlock(stream: RunOutput["stream"], offset: number, content: Uint8Array): void {
    const size = Math.max(this.#blockBytes, content.byteLength);
    const dropped = this.#makeRoom(size);
    // Without this, a flood of output would leave as many bytes of garbage.
    const bytes = dropped && fits(dropped, size) ? dropped : new Uint8Array(size);
    bytes.set(content);
    this.#blocks.push({ stream, offset, bytes, length: content.byteLength });
    this.#held += bytes.byteLength;
    if (this.#first > 64 && this.#first > this.#blocks.length / 2) {
      this.#blocks = this.#blocks.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Drops the oldest blocks, and returns the memory of the last one that was dropped. */
  #makeRoom(size: number): Uint8Array | undefined {
    let dropped: Uint8Array | undefined;
    while (this.#held + size > this.#limit && this.#first < this.#blocks.length) {
      dropped = this.#blocks[this.#first]?.bytes;
      this.#held -= dropped?.byteLength ?? 0;
      this.#blocks[this.#first++] = NOTHING;
    }
    return dropped;
  }

  #indexAfter(position: number): number {
    let low = this.#first;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const block = this.#blocks[middle];
      if (block && block.offset + block.length <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function fits({ byteLength }: Uint8Array, size: number): boolean {
  return byteLength >= size && byteLength <= size + size / 8;
}
