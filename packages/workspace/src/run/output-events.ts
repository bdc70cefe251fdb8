import type { RunEventListener, RunOutput } from "@skillwright/core";
import type { RunEventLimits } from "@skillwright/core/adapter";

const MIB = 1024 * 1024;

export const EVENT_BYTES = 4 * MIB;

type Stream = RunOutput["stream"];

export interface OutputEventsOptions extends RunEventLimits {
  /** Monotonic time in milliseconds. */
  readonly now?: () => number;
}

/**
 * Converts pieces of output to `run.output` events whose text never splits a character, wherever the pieces are split.
 * A piece beyond the limits is dropped completely and reported as `run.output-dropped` before the next event of the
 * run, as are bytes that the runtime has skipped between two pieces.
 */
export function outputEvents(
  runId: string,
  emit: RunEventListener,
  {
    bytes: most = EVENT_BYTES,
    bytesPerSecond = MIB,
    now = () => performance.now(),
  }: OutputEventsOptions = {},
): { hear(output: RunOutput): unknown; end(): void } {
  const decoders = { stdout: lenientDecoder(), stderr: lenientDecoder() };
  const dropped = { stdout: 0, stderr: 0 };
  let left = most;
  let ready = bytesPerSecond;
  let lastMs = now();
  let next: number | undefined;

  function tell(stream: Stream, text: string): unknown {
    tellDropped();
    return text === "" ? undefined : emit({ type: "run.output", runId, stream, text });
  }

  function tellDropped(): void {
    for (const stream of ["stdout", "stderr"] as const) {
      const bytes = dropped[stream];
      if (bytes === 0) continue;
      dropped[stream] = 0;
      void emit({ type: "run.output-dropped", runId, stream, bytes });
    }
  }

  function isAllowed(bytes: number): boolean {
    const nowMs = now();
    // At one instant an unlimited rate would give zero times infinity, which is not a number.
    if (nowMs > lastMs) ready = Math.min(bytesPerSecond, ready + ((nowMs - lastMs) / 1000) * bytesPerSecond);
    lastMs = nowMs;
    if (bytes > Math.min(left, ready)) return false;
    left -= bytes;
    ready -= bytes;
    return true;
  }

  return {
    hear({ stream, offset, bytes }) {
      // Counted over both streams: what was skipped is told of the stream that goes on.
      if (next !== undefined && offset > next) dropped[stream] += offset - next;
      next = offset + bytes.byteLength;
      const text = decoders[stream].decode(bytes, { stream: true });
      if (isAllowed(bytes.byteLength)) return tell(stream, text);
      dropped[stream] += bytes.byteLength;
      return undefined;
    },
    end() {
      for (const stream of ["stdout", "stderr"] as const) void tell(stream, decoders[stream].decode());
    },
  };
}

function lenientDecoder() {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}
