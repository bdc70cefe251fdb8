import type { Duplex } from "node:stream";
import { finished } from "node:stream";
import { SkillError } from "@skillwright/core";
import type { ContainerExec } from "./container-exec.js";

/** The writing half of an engine's connection; `undefined` where the process has no input. */
export function execInput(connection: Duplex | undefined): Pick<ContainerExec, "write" | "endInput"> {
  async function write(bytes: Uint8Array): Promise<void> {
    if (!connection || connection.destroyed || connection.writableEnded) throw closed();
    await new Promise<void>((resolve, reject) => {
      // Also called, with an error, for every pending write when the connection is destroyed.
      connection.write(bytes, (error) => (error ? reject(closed(error)) : resolve()));
    });
  }

  async function endInput(): Promise<void> {
    if (!connection || connection.destroyed || connection.writableEnded) return;
    await new Promise<void>((resolve) => {
      finished(connection, { readable: false }, () => resolve());
      connection.end();
    });
  }

  return { write, endInput };
}

function closed(cause?: unknown): SkillError {
  return new SkillError(
    "CLOSED",
    "The command no longer accepts input: it has ended, its input was ended, or it was started without `interactive`.",
    { cause },
  );
}
