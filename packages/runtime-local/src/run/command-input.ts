import type { Writable } from "node:stream";
import { SkillError } from "@skillwright/core";

/**
 * Writes to a command's standard input, and settles when its pipe has taken the bytes.
 * @throws SkillError `CLOSED` where the command no longer reads it.
 */
export async function writeInput(stream: Writable | null, bytes: Uint8Array): Promise<void> {
  if (!stream || stream.destroyed || stream.writableEnded) throw inputClosed();
  await new Promise<void>((resolve, reject) => {
    // Also called, with an error, for every pending write when the stream is destroyed.
    stream.write(bytes, (error) => (error ? reject(inputClosed(error)) : resolve()));
  });
}

export function inputClosed(cause?: unknown): SkillError {
  return new SkillError(
    "CLOSED",
    "The command no longer accepts input: it has ended, its input was ended, or it was started without `interactive`.",
    { cause },
  );
}
