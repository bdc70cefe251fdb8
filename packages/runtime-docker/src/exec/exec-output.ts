import type { Duplex } from "node:stream";
import { SkillError } from "@skillwright/core";

export interface ExecOutput {
  readonly stream: "stdout" | "stderr";
  readonly bytes: Uint8Array;
}

/** Stream number, three zero bytes, and the frame's length in four bytes, big-endian. */
const HEADER_BYTES = 8;
const STREAMS = new Map<number, ExecOutput["stream"]>([
  [1, "stdout"],
  [2, "stderr"],
  // Messages of the engine itself.
  [3, "stderr"],
]);

/**
 * Parses an engine's stream frame by frame and yields partial frames at once, so that nothing is buffered whatever the
 * stated lengths. Output of a command is never parsed as a frame. A broken connection ends the stream like a closed
 * one: neither tells how the process ended.
 * @throws SkillError `BACKEND_FAILED` for data that is not a frame, as from a terminal.
 */
export async function* execOutput(connection: Duplex): AsyncGenerator<ExecOutput, void, undefined> {
  let stream: ExecOutput["stream"] = "stdout";
  let left = 0;
  let header = Buffer.alloc(0);
  for await (const chunk of untilBroken(connection)) {
    for (let at = 0; at < chunk.byteLength; ) {
      if (left > 0) {
        const bytes = chunk.subarray(at, at + left);
        left -= bytes.byteLength;
        at += bytes.byteLength;
        yield { stream, bytes };
        continue;
      }
      const more = chunk.subarray(at, at + HEADER_BYTES - header.byteLength);
      header = Buffer.concat([header, more]);
      at += more.byteLength;
      if (header.byteLength < HEADER_BYTES) continue;
      stream = streamOf(header);
      left = header.readUInt32BE(4);
      header = Buffer.alloc(0);
    }
  }
}

async function* untilBroken(connection: Duplex): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* connection as AsyncIterable<Buffer>;
  } catch {
    // The engine is asked for the outcome afterwards.
  }
}

function streamOf(header: Buffer): ExecOutput["stream"] {
  const stream = STREAMS.get(header.readUInt8(0));
  if (stream) return stream;
  throw new SkillError(
    "BACKEND_FAILED",
    "The engine sent output without stream frames, so stdout and stderr cannot be separated. Check for a proxy between this machine and the engine.",
  );
}
