import type { RunOutput } from "@skillwright/core";
import { type CapturedOutput, HeadTailBuffer, type SecretMasking } from "@skillwright/core/adapter";
import type { RecordedPiece } from "../record/recorded-pieces.js";
import { LiveOutput } from "./live-output.js";

/** A command's output as far as it is known. The run's handle and its result read from it. */
export interface OutputLog {
  /**
   * Copies the bytes that follow and returns at once. Bytes that may begin a secret are held back until more arrive. Does
   * nothing after `end`.
   */
  append(stream: RunOutput["stream"], bytes: Uint8Array): void;
  /**
   * Copies a piece of a record; what was there before is left out. Pieces of one stream come in the order of their offsets. A piece that
   * comes after later ones of the other stream is captured, but a reader does not get it.
   */
  add(piece: RecordedPiece): void;
  /** Marks the end of the output; readers end. */
  end(): void;
  read(options?: { from?: number }): AsyncIterable<RunOutput>;
  captured(stream: RunOutput["stream"]): CapturedOutput;
}

export interface OutputLogOptions {
  /** Bytes of each stream that are kept, half head and half tail. */
  readonly limit: number;
  /** Bytes of both streams that a reader finds however slow it is. Default twice `limit`. */
  readonly liveBytes?: number | undefined;
  /**
   * Masks secrets before anything is kept, counted or passed on, so that offsets and sizes are those of the masked
   * output.
   */
  readonly masking?: SecretMasking | undefined;
}

/**
 * Keeps each stream's head and tail, and serves live output by offset to any number of readers. A reader that falls further
 * behind misses the middle; it never slows down the writer.
 */
export function outputLog({ limit, liveBytes = 2 * limit, masking }: OutputLogOptions): OutputLog {
  const maskers = { stdout: masking?.stream(), stderr: masking?.stream() };
  const buffers = { stdout: new HeadTailBuffer(limit), stderr: new HeadTailBuffer(limit) };
  /** Where the captured part of each stream ends, in the stream and in the whole output. */
  const ends = { stdout: { position: 0, offset: 0 }, stderr: { position: 0, offset: 0 } };
  const live = new LiveOutput(liveBytes);
  let ended = false;
  let wake: (() => void)[] = [];

  function append(stream: RunOutput["stream"], bytes: Uint8Array): void {
    if (!ended) follow(stream, maskers[stream]?.append(bytes) ?? bytes);
  }

  function follow(stream: RunOutput["stream"], bytes: Uint8Array): void {
    add({ stream, offset: live.end(), position: ends[stream].position, bytes });
  }

  function add({ stream, offset, position, bytes }: RecordedPiece): void {
    if (ended) return;
    // Not copied here, because both receivers make copies of their own.
    const last = ends[stream];
    const own = bytes.subarray(Math.max(0, last.offset - offset));
    if (own.byteLength > 0) {
      const end = position + bytes.byteLength;
      buffers[stream].skip(end - own.byteLength - last.position);
      buffers[stream].append(own);
      ends[stream] = { position: end, offset: offset + bytes.byteLength };
    }
    const skipped = Math.max(0, live.end() - offset);
    if (skipped >= bytes.byteLength) return;
    live.append({ stream, offset: offset + skipped, bytes: bytes.subarray(skipped) });
    notify();
  }

  function end(): void {
    if (ended) return;
    for (const stream of ["stdout", "stderr"] as const)
      follow(stream, maskers[stream]?.end() ?? new Uint8Array(0));
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

  return { append, add, end, read, captured: (stream) => buffers[stream].captured() };
}
