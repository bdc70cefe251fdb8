import type { RunEvent, RunOutput } from "@skillwright/core";
import type { RunEventLimits } from "@skillwright/core/adapter";

const MIB = 1024 * 1024;

type Stream = RunOutput["stream"];

export interface OutputEventsOptions extends RunEventLimits {
  /** Monotonic time in milliseconds. */
  readonly now?: () => number;
}

/**
 * Converts pieces of output to `run.output` events whose text never splits a character, wherever the pieces are split.
 * A piece beyond the limits is dropped completely and reported as `run.output-dropped` before the next event of the
 * run.
 */
export function outputEvents(
  runId: string,
  emit: (event: RunEvent) => void,
  { bytes: most = 4 * MIB, bytesPerSecond = MIB, now = () => performance.now() }: OutputEventsOptions = {},
): { hear(output: RunOutput): void; end(): void } {
  const decoders = { stdout: lenientDecoder(), stderr: lenientDecoder() };
  const dropped = { stdout: 0, stderr: 0 };
  let left = most;
  let ready = bytesPerSecond;
  let lastMs = now();

  function tell(stream: Stream, text: string): void {
    tellDropped();
    if (text !== "") emit({ type: "run.output", runId, stream, text });
  }

  function tellDropped(): void {
    for (const stream of ["stdout", "stderr"] as const) {
      const bytes = dropped[stream];
      if (bytes === 0) continue;
      dropped[stream] = 0;
      emit({ type: "run.output-dropped", runId, stream, bytes });
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
    hear({ stream, bytes }) {
      const text = decoders[stream].decode(bytes, { stream: true });
      if (isAllowed(bytes.byteLength)) tell(stream, text);
      else dropped[stream] += bytes.byteLength;
    },
    end() {
      for (const stream of ["stdout", "stderr"] as const) tell(stream, decoders[stream].decode());
    },
  };
}

function lenientDecoder() {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}
