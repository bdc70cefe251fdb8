import { open } from "node:fs/promises";
import { byteStream } from "@skillwright/core";
import { checkAborted, type RunCommand } from "@skillwright/core/adapter";

/**
 * Stores the input of a run that is kept as the file `input` of its record. A host that dies while it passes the input on must
 * not leave a command with a part of it.
 */
export async function storeInput(
  directory: string,
  { stdin }: RunCommand,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (stdin === undefined) return;
  const file = await open(`${directory}/input`, "wx", 0o600);
  try {
    for await (const piece of byteStream(stdin)) {
      checkAborted(signal);
      await file.writeFile(piece);
    }
  } finally {
    await file.close();
  }
}
