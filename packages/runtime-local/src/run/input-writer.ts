import type { Writable } from "node:stream";
import { SkillError } from "@skillwright/core";

/** A command's standard input. */
export interface InputWriter {
  /** @throws SkillError `CLOSED` when the command no longer reads, or there is no input. */
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
  /** Call it when the command is over; pending writes fail. */
  close(): void;
}

export function inputWriter(stream: Writable | undefined): InputWriter {
  async function write(bytes: Uint8Array): Promise<void> {
    if (!stream || stream.destroyed || stream.writableEnded) throw closed();
    await new Promise<void>((resolve, reject) => {
      // Also called, with an error, for every pending write when the stream is destroyed.
      stream.write(bytes, (error) => (error ? reject(closed(error)) : resolve()));
    });
  }

  async function end(): Promise<void> {
    if (!stream || stream.destroyed || stream.writableEnded) return;
    await new Promise<void>((resolve) => {
      stream.once("close", resolve);
      stream.end(resolve);
    });
  }

  return { write, end, close: () => stream?.destroy() };
}

function closed(cause?: unknown): SkillError {
  return new SkillError(
    "CLOSED",
    "The command no longer accepts input: it has ended, its input was ended, or it was started without `interactive`.",
    { cause },
  );
}
