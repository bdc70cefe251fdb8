import type { CapturedOutput } from "./run-command.js";

/**
 * Keeps the first and the last bytes of a stream within a limit, so that neither the start nor a final error message is
 * lost.
 */
export class HeadTailBuffer {
  readonly #headLimit: number;
  #head: Uint8Array[] = [];
  #headSize = 0;
  readonly #tail: LastBytes;
  #total = 0;

  constructor(limit: number) {
    this.#headLimit = Math.ceil(limit / 2);
    this.#tail = new LastBytes(Math.floor(limit / 2));
  }

  append(bytes: Uint8Array): void {
    this.#total += bytes.byteLength;
    const toHead = bytes.subarray(0, this.#headLimit - this.#headSize);
    if (toHead.byteLength > 0) this.#appendToHead(toHead);
    this.#tail.append(bytes.subarray(toHead.byteLength));
  }

  /** Counts bytes of the middle that nobody has. */
  skip(bytes: number): void {
    this.#total += bytes;
  }

  captured(): CapturedOutput {
    const head = Buffer.concat(this.#head);
    const tail = this.#tail.bytes();
    if (this.#total === head.byteLength + tail.byteLength) {
      const text = Buffer.concat([head, tail]).toString("utf8");
      return { text, totalBytes: this.#total, truncated: false };
    }
    const start = head.subarray(0, wholeCharactersEnd(head));
    const end = Buffer.from(tail.subarray(firstCharacterStart(tail)));
    const marker = `\n[... ${this.#total - start.byteLength - end.byteLength} bytes left out ...]\n`;
    const text = start.toString("utf8") + marker + end.toString("utf8");
    return { text, totalBytes: this.#total, truncated: true };
  }

  /**
   * Copied, because a caller may reuse its buffer. Pieces are joined from time to time, so that single bytes do not
   * become many objects.
   */
  #appendToHead(bytes: Uint8Array): void {
    this.#head.push(new Uint8Array(bytes));
    this.#headSize += bytes.byteLength;
    if (this.#head.length >= 1024) this.#head = [Buffer.concat(this.#head)];
  }
}

/** Returns where the last character begins if it was cut; otherwise the length. */
function wholeCharactersEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.byteLength); back++) {
    const byte = bytes[bytes.byteLength - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.byteLength - back : bytes.byteLength;
  }
  return bytes.byteLength;
}

function firstCharacterStart(bytes: Uint8Array): number {
  let start = 0;
  while (start < Math.min(3, bytes.byteLength) && isContinuation(bytes[start] ?? 0)) start++;
  return start;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Keeps the last bytes of a stream within a limit. The cost per byte is constant, whatever the size of the pieces. */
export class LastBytes {
  readonly #limit: number;
  #buffer = new Uint8Array(0);
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  append(bytes: Uint8Array): void {
    const kept = bytes.subarray(Math.max(0, bytes.byteLength - this.#limit));
    if (kept.byteLength === 0) return;
    this.#makeRoom(kept.byteLength);
    this.#buffer.set(kept, this.#length);
    this.#length += kept.byteLength;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(Math.max(0, this.#length - this.#limit), this.#length);
  }

  /** Allocates at most twice the limit, so that the kept part is moved to the front once per `limit` bytes. */
  #makeRoom(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#buffer.byteLength) return;
    const keep = Math.min(this.#length, this.#limit - more);
    if (needed > 2 * this.#limit) {
      this.#buffer.copyWithin(0, this.#length - keep, this.#length);
      this.#length = keep;
    }
    if (this.#length + more <= this.#buffer.byteLength) return;
    const size = Math.min(2 * this.#limit, Math.max(1024, 2 * (this.#length + more)));
    const grown = new Uint8Array(size);
    grown.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = grown;
  }
}
