import { LastBytes } from "./last-bytes.js";
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
