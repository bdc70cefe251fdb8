import type { CapturedOutput } from "./run-command.js";

/** The first and the last bytes of a stream within a limit, so that neither the start nor the error at the end is lost. */
export class HeadTailBuffer {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Uint8Array[] = [];
  #headSize = 0;
  readonly #tail: Uint8Array[] = [];
  #tailSize = 0;
  #total = 0;

  constructor(limit: number) {
    this.#headLimit = Math.ceil(limit / 2);
    this.#tailLimit = Math.floor(limit / 2);
  }

  append(bytes: Uint8Array): void {
    this.#total += bytes.byteLength;
    const toHead = bytes.subarray(0, this.#headLimit - this.#headSize);
    if (toHead.byteLength > 0) {
      // Copied, because Node's pool may hand out small views into large buffers.
      this.#head.push(toHead.slice());
      this.#headSize += toHead.byteLength;
    }
    const rest = bytes.subarray(toHead.byteLength);
    if (rest.byteLength === 0) return;
    this.#tail.push(rest.slice(Math.max(0, rest.byteLength - this.#tailLimit)));
    this.#tailSize += this.#tail.at(-1)?.byteLength ?? 0;
    while (this.#tail[0] && this.#tailSize - this.#tail[0].byteLength >= this.#tailLimit)
      this.#tailSize -= this.#tail.shift()?.byteLength ?? 0;
  }

  captured(): CapturedOutput {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail).subarray(-this.#tailLimit || undefined);
    const kept = head.byteLength + (this.#tailLimit === 0 ? 0 : tail.byteLength);
    if (this.#total <= kept)
      return {
        text: Buffer.concat([head, tail]).toString("utf8"),
        totalBytes: this.#total,
        truncated: false,
      };
    const marker = `\n[... ${this.#total - kept} bytes left out ...]\n`;
    const text = wholeStart(head) + marker + (this.#tailLimit === 0 ? "" : wholeEnd(tail));
    return { text, totalBytes: this.#total, truncated: true };
  }
}

/** Decodes without the partial character that a cut may have left at the end (TR-88). */
function wholeStart(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
}

function wholeEnd(bytes: Uint8Array): string {
  let start = 0;
  while (start < Math.min(4, bytes.byteLength) && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return Buffer.from(bytes.subarray(start)).toString("utf8");
}
