import type { RunOutput } from "@skillwright/core";
import { type CapturedOutput, HeadTailBuffer, type SecretMasking } from "@skillwright/core/adapter";
import { LiveOutput } from "./live-output.js";

/** Receives a command's output from the runtime. The run's handle and its result read from it. */
export interface OutputLog {
  /**
   * Copies the bytes and returns at once. Bytes that may begin a secret are held back until more arrive. Does nothing
   * after `end`.
   */
  append(stream: RunOutput["stream"], bytes: Uint8Array): void;
  /** Marks the end of the output; readers end. */
  end(): void;
  read(options?: { from?: number }): AsyncIterable<RunOutput>;
  captured(stream: RunOutput["stream"]): CapturedOutput;
}

/**
 * Keeps each stream's head and tail within `limit` bytes, and serves live output by offset to any number of readers. A
 * reader that falls about two limits behind misses the middle; it never slows down the writer.
 * @param masking Masks secrets before anything is kept, counted or passed on, so that offsets and sizes are those of
 * the masked output.
 */
export function outputLog(limit: number, masking?: SecretMasking): OutputLog {
  const maskers = { stdout: masking?.stream(), stderr: masking?.stream() };
  const buffers = { stdout: new HeadTailBuffer(limit), stderr: new HeadTailBuffer(limit) };
  const live = new LiveOutput(2 * limit);
  let ended = false;
  let wake: (() => void)[] = [];

  function append(stream: RunOutput["stream"], bytes: Uint8Array): void {
    if (ended || bytes.byteLength === 0) return;
    keep(stream, maskers[stream]?.append(bytes) ?? bytes);
  }

  function keep(stream: RunOutput["stream"], bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return;
    buffers[stream].append(bytes);
    live.append(stream, bytes);
    notify();
  }

  function end(): void {
    if (ended) return;
    for (const stream of ["stdout", "stderr"] as const)
      keep(stream, maskers[stream]?.end() ?? new Uint8Array(0));
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
      const piece = live.after(position);
      if (piece) {
        position = piece.offset + piece.bytes.byteLength;
        yield piece;
      } else if (ended) return;
      else await new Promise<void>((resume) => wake.push(resume));
    }
  }

  return { append, end, read, captured: (stream) => buffers[stream].captured() };
}
