import type { Duplex } from "node:stream";
import { SkillError } from "@skillwright/core";

/** Writes to an engine's connection. Settles when it accepted the bytes. @throws SkillError `CLOSED`. */
export function execInput(connection: Duplex): (bytes: Uint8Array) => Promise<void> {
  return async (bytes) => {
    if (connection.destroyed || connection.writableEnded) throw closed();
    await new Promise<void>((resolve, reject) => {
      // Also called, with an error, for every pending write when the connection is destroyed.
      connection.write(bytes, (error) => (error ? reject(closed(error)) : resolve()));
    });
  };
}

function closed(cause?: unknown): SkillError {
  return new SkillError("CLOSED", "The connection to the container has ended. Try again.", { cause });
}
