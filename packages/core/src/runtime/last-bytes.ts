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
