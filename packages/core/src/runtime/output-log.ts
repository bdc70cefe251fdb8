import { HeadTailBuffer } from "./head-tail-buffer.js";
import type { CapturedOutput, RunOutput } from "./run-command.js";

/** What a runtime feeds with a command's output, and what its handle and its result are read from. */
export interface OutputLog {
  append(stream: RunOutput["stream"], bytes: Uint8Array): void;
  /** No more will come; readers end. */
  end(): void;
  read(options?: { from?: number }): AsyncIterable<RunOutput>;
  captured(stream: RunOutput["stream"]): CapturedOutput;
}

/**
 * Keeps each stream's head and tail within `limit` bytes and gives live output to any number of readers by offset.
 * A reader that falls behind loses the middle, never the writer's time: `append` returns at once.
 */
export function outputLog(limit: number): OutputLog {
  const buffers = { stdout: new HeadTailBuffer(limit), stderr: new HeadTailBuffer(limit) };
  const pieces: RunOutput[] = [];
  let held = 0;
  let offset = 0;
  let ended = false;
  let wake: (() => void)[] = [];

  function append(stream: RunOutput["stream"], bytes: Uint8Array): void {
    if (ended || bytes.byteLength === 0) return;
    buffers[stream].append(bytes);
    pieces.push({ stream, offset, bytes });
    offset += bytes.byteLength;
    held += bytes.byteLength;
    while (held > 2 * limit && pieces.length > 1) held -= pieces.shift()?.bytes.byteLength ?? 0;
    notify();
  }

  function end(): void {
    ended = true;
    notify();
  }

  function notify(): void {
    const waiting = wake;
    wake = [];
    for (const resume of waiting) resume();
  }

  async function* read({ from = 0 }: { from?: number } = {}): AsyncIterable<RunOutput> {
    let position = from;
    for (;;) {
      const piece = pieces.find((candidate) => candidate.offset + candidate.bytes.byteLength > position);
      if (piece) {
        const skipped = Math.max(0, position - piece.offset);
        position = piece.offset + piece.bytes.byteLength;
        yield { stream: piece.stream, offset: piece.offset + skipped, bytes: piece.bytes.subarray(skipped) };
      } else if (ended) return;
      else await new Promise<void>((resume) => wake.push(resume));
    }
  }

  return { append, end, read, captured: (stream) => buffers[stream].captured() };
}
