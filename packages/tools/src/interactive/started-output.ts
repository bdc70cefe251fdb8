/**
 * The output of a started run, both streams in order of arrival. The oldest output is dropped at the latest when it
 * exceeds twice the limit.
 */
export interface StartedOutput {
  append(bytes: Uint8Array): void;
  /** Number of bytes received, kept or not. */
  size(): number;
  /** Milliseconds since the last piece. */
  quietMs(): number;
  /**
   * Resolves to true once something is appended or `wake` is called, and to false after that time or when the signal
   * fires.
   */
  changed(withinMs: number, signal?: AbortSignal | undefined): Promise<boolean>;
  wake(): void;
  /** Returns at most that many bytes from the offset on, as UTF-8, cut at a whole character while more may follow. */
  read(from: number, maxBytes: number): { text: string; from: number; to: number };
  /** The text after the last line break, at most 200 characters. */
  lastLine(): string;
}

const LONGEST_LINE = 200;

export function startedOutput(keptBytes: number): StartedOutput {
  // Twice as large, so that the kept part is moved to the front once per `keptBytes` bytes.
  const buffer = Buffer.alloc(2 * keptBytes);
  let used = 0;
  let total = 0;
  let lastMs = performance.now();
  let waiting: (() => void)[] = [];

  function append(bytes: Uint8Array): void {
    total += bytes.byteLength;
    lastMs = performance.now();
    const kept = bytes.subarray(Math.max(0, bytes.byteLength - keptBytes));
    if (used + kept.byteLength > buffer.byteLength) {
      const keep = keptBytes - kept.byteLength;
      buffer.copyWithin(0, used - keep, used);
      used = keep;
    }
    buffer.set(kept, used);
    used += kept.byteLength;
    wake();
  }

  function wake(): void {
    const all = waiting;
    waiting = [];
    for (const resume of all) resume();
  }

  async function changed(withinMs: number, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return false;
    return await new Promise<boolean>((resolve) => {
      const settle = (value: boolean) => () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        waiting = waiting.filter((one) => one !== resume);
        resolve(value);
      };
      const resume = settle(true);
      const stop = settle(false);
      const timer = setTimeout(stop, withinMs);
      waiting.push(resume);
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  function read(offset: number, maxBytes: number): { text: string; from: number; to: number } {
    const start = total - used;
    const from = Math.min(Math.max(offset, start), total);
    const bytes = buffer.subarray(from - start, Math.min(used, from - start + maxBytes));
    const whole = bytes.subarray(0, wholeEnd(bytes));
    return { text: new TextDecoder().decode(whole), from, to: from + whole.byteLength };
  }

  function lastLine(): string {
    const text = read(total - 4 * LONGEST_LINE, 4 * LONGEST_LINE).text;
    return text.slice(text.lastIndexOf("\n") + 1).slice(-LONGEST_LINE);
  }

  return {
    append,
    size: () => total,
    quietMs: () => performance.now() - lastMs,
    changed,
    wake,
    read,
    lastLine,
  };
}

/** The length without an incomplete last character; the full length where there is nothing else. */
function wholeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.byteLength); back++) {
    const byte = bytes[bytes.byteLength - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.byteLength - back || bytes.byteLength : bytes.byteLength;
  }
  return bytes.byteLength;
}
