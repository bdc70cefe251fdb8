import { abortable, checkAborted } from "../abort.js";
import { byteStream } from "../byte-stream.js";
import type { CallOptions } from "../closable.js";
import type { Diagnostic } from "../diagnostic.js";
import { SkillError } from "../skill-error.js";
import type { RunCommand, RunHandle, RunOutput, RunResult } from "./run-command.js";
import type { RuntimeWorkspace } from "./workspace-runtime.js";

export interface RunOptions extends CallOptions {
  /**
   * Receives the output live, the next piece once what it returned is settled. If it throws, `run` rejects with that
   * error once the command has ended.
   */
  readonly onOutput?: ((output: RunOutput) => unknown) | undefined;
}

/**
 * Runs one command to its end: starts it, feeds standard input, listens and waits. Implemented once over `start`, for
 * every runtime. An abort signal ends the process tree, and the result says `aborted`. A `stdin` that fails is a
 * diagnostic of the result.
 */
export async function run(
  workspace: RuntimeWorkspace,
  command: RunCommand,
  options: RunOptions = {},
): Promise<RunResult> {
  checkAborted(options.signal);
  const handle = await workspace.start(command, { signal: options.signal });
  const listening = options.onOutput ? listen(handle, options.onOutput) : undefined;
  const over = new AbortController();
  // `start` has read the input of a run that is kept.
  const feeding = feed(command.keep ? undefined : command.stdin, handle, over.signal);
  try {
    const result = await handle.result;
    over.abort();
    const failed = await feeding;
    const listener = await listening;
    if (listener) throw listener.error;
    return failed ? { ...result, diagnostics: [...result.diagnostics, failed] } : result;
  } finally {
    over.abort();
  }
}

/** Returns what the listener threw instead of rejecting, because nothing awaits the promise yet. */
async function listen(
  handle: RunHandle,
  onOutput: (output: RunOutput) => unknown,
): Promise<{ error: unknown } | undefined> {
  try {
    for await (const piece of handle.output()) await onOutput(piece);
    return undefined;
  } catch (error) {
    return { error };
  }
}

/**
 * Ends when the source ends, when the command stops reading, or when the command ends. The remaining input is
 * discarded.
 */
async function feed(
  stdin: RunCommand["stdin"],
  handle: RunHandle,
  over: AbortSignal,
): Promise<Diagnostic | undefined> {
  try {
    if (stdin !== undefined)
      for await (const piece of abortable(byteStream(stdin), over)) await handle.write(piece);
    return undefined;
  } catch (error) {
    return over.aborted || isReadNoMore(error) ? undefined : inputFailed(error);
  } finally {
    // If the run is over or lost, its outcome says so.
    await handle.endInput().catch(() => undefined);
  }
}

/** True if the command stopped reading, which it may. False if a broken connection lost the input, which is a failure. */
function isReadNoMore(error: unknown): boolean {
  return SkillError.is(error, "CLOSED") && error.details?.["connection"] !== "lost";
}

function inputFailed(error: unknown): Diagnostic {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    code: "run.stdin-failed",
    severity: "error",
    message: `Standard input could not be read completely: ${reason}. The command received only the first part.`,
    hint: "Do not rely on the results of this run; run it again with the input.",
  };
}
