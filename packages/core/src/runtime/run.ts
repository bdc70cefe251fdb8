import { byteStream } from "../byte-stream.js";
import type { CallOptions } from "../closable.js";
import { SkillError } from "../skill-error.js";
import type { RunCommand, RunOutput, RunResult } from "./run-command.js";
import type { RuntimeWorkspace } from "./workspace-runtime.js";

export interface RunOptions extends CallOptions {
  /** Hears the output live. */
  readonly onOutput?: ((output: RunOutput) => void) | undefined;
}

/**
 * Runs one command to its end: start, feed standard input, listen, wait. Written once over `start`, for every runtime.
 * The signal ends the tree and the result then says `aborted`.
 */
export async function run(
  workspace: RuntimeWorkspace,
  command: RunCommand,
  options: RunOptions = {},
): Promise<RunResult> {
  if (options.signal?.aborted) throw new SkillError("ABORTED", "The run was aborted before it began.");
  const handle = await workspace.start(command, { signal: options.signal });
  const listening = options.onOutput ? listen(handle.output(), options.onOutput) : undefined;
  if (command.stdin === undefined) await handle.endInput();
  else void feed(command.stdin, handle);
  const result = await handle.result;
  await listening;
  return result;
}

async function listen(
  output: AsyncIterable<RunOutput>,
  onOutput: (output: RunOutput) => void,
): Promise<void> {
  for await (const piece of output) onOutput(piece);
}

/** A command may end without reading its input; what is left of it is then of no interest. */
async function feed(
  stdin: NonNullable<RunCommand["stdin"]>,
  handle: { write(bytes: Uint8Array): Promise<void>; endInput(): Promise<void> },
): Promise<void> {
  try {
    for await (const piece of byteStream(stdin)) await handle.write(piece);
  } catch {}
  await handle.endInput().catch(() => undefined);
}
