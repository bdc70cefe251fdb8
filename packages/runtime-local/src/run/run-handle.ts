import type { Diagnostic, Isolation, RunLimits, RunResult } from "@skillwright/core";
import type { RunCommand, RunHandle, SecretMasking } from "@skillwright/core/adapter";
import type { OutputLog, RunEnd } from "@skillwright/supervisor";
import type { DiskWatch } from "../limits/disk-watch.js";
import type { ChildCommand } from "./child-command.js";

export interface RunHandleOptions {
  /** Start time by `performance.now()`. */
  readonly startedMs: number;
  readonly signal: AbortSignal | undefined;
  readonly isolation: Isolation;
  readonly limits: RunLimits;
  /** Diagnostics known before the end. */
  readonly diagnostics: readonly Diagnostic[];
  readonly masking: SecretMasking;
  /** Takes the command's output until its end. */
  readonly log: OutputLog;
  /** Starts watching the run's disk usage; `kill` ends the run. */
  readonly watch: (kill: () => void) => DiskWatch | undefined;
  /** Determines which limits a command reached that ended by itself. */
  readonly reachedBy: (exitCode: number) => Promise<readonly Diagnostic[]>;
}

/** Passes on a started command's output, ends it on request, and returns its outcome. */
export function runHandle(
  child: ChildCommand,
  { runId }: RunCommand,
  { startedMs, signal, isolation, limits, diagnostics, masking, log, watch, reachedBy }: RunHandleOptions,
): RunHandle {
  const ending = endings(child, signal);
  const watching = watch(ending.kill);

  async function result(): Promise<RunResult> {
    const end = await child.ended.finally(ending.stop);
    await watching?.stop();
    log.end();
    const reached = end.endedBy === "itself" ? await reachedBy(end.exitCode) : [];
    return resultOf({ ...end, diagnostics: [...end.diagnostics, ...reached] });
  }

  function resultOf({ exitCode, endedBy, treeEnded, diagnostics: late }: RunEnd): RunResult {
    // The watch and the size of a file may both show that the same limit was reached.
    const watched = (watching?.diagnostics() ?? []).filter(({ code }) =>
      late.every((one) => one.code !== code),
    );
    return {
      runId,
      exitCode,
      timedOut: endedBy === "time",
      aborted: endedBy === "request" && ending.wasAborted(),
      durationMs: performance.now() - startedMs,
      stdout: log.captured("stdout"),
      stderr: log.captured("stderr"),
      isolation,
      limits,
      treeEnded,
      diagnostics: [...diagnostics, ...late, ...watched].map(masking.diagnostic),
    };
  }

  const settled = result();
  // The caller may not have started to wait for it yet.
  settled.catch(() => undefined);
  return {
    runId,
    output: (options) => log.read(options),
    write: child.write,
    endInput: child.endInput,
    signal: async (name) => {
      if (name === "SIGKILL") ending.kill();
      else if (!ending.isOver()) child.signal(name);
    },
    result: settled,
  };
}

/** Ends a run before its command or time limit does. */
function endings(child: ChildCommand, signal: AbortSignal | undefined) {
  let aborted = false;
  let asked = false;
  let over = false;
  function kill(): void {
    // After the end, its process id may have been reused.
    if (over || asked) return;
    asked = true;
    child.kill();
  }
  function abort(): void {
    aborted = !asked;
    kill();
  }
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  return {
    wasAborted: () => aborted,
    isOver: () => over,
    kill,
    stop: () => {
      over = true;
      signal?.removeEventListener("abort", abort);
    },
  };
}
