import type { Readable } from "node:stream";
import {
  type Diagnostic,
  type Isolation,
  type OutputLog,
  outputLog,
  type RunCommand,
  type RunHandle,
  type RunResult,
  type SecretMasking,
  SkillError,
} from "@skillwright/core";
import type { DiskWatch } from "../limits/disk-watch.js";
import { inputWriter } from "./input-writer.js";
import type { Launch, LaunchEnd } from "./launch.js";

/** A process that got away may hold the pipes open; what it writes is no longer of this run. */
const DRAIN_MS = 100;
const KILLED = 137;

export interface RunHandleOptions {
  readonly signal: AbortSignal | undefined;
  readonly isolation: Isolation;
  /** What is known before the end. */
  readonly diagnostics: readonly Diagnostic[];
  readonly masking: SecretMasking;
  /** Begins to watch over what the run does to the disk; `kill` ends it. */
  readonly watch: ((kill: () => void) => DiskWatch) | undefined;
  /** Whether the workspace still exists: one that is destroyed takes its runs with it. */
  readonly isThere: () => boolean;
}

/** Watches over a started command: takes its output, ends it in time, and tells how it was. */
export function runHandle(
  launch: Launch,
  { runId, timeoutMs, maxOutputBytes }: RunCommand,
  { signal, isolation, diagnostics, masking, watch, isThere }: RunHandleOptions,
): RunHandle {
  const startedMs = performance.now();
  const log = outputLog(maxOutputBytes, masking);
  const drained = Promise.all([drain(launch.stdout, log, "stdout"), drain(launch.stderr, log, "stderr")]);
  const input = inputWriter(launch.stdin);
  const ending = endings(launch, timeoutMs, signal);
  const watching = watch?.(ending.kill);

  async function result(): Promise<RunResult> {
    const end = await launch.ended.finally(() => {
      ending.stop();
      watching?.stop();
    });
    input.close();
    await inDrainTime(drained);
    launch.stdout.destroy();
    launch.stderr.destroy();
    log.end();
    if (end.notStarted === undefined) return resultOf(end);
    if (isThere()) throw notStarted(end.notStarted, log);
    return resultOf({ ...end, exitCode: KILLED });
  }

  function resultOf({ exitCode, treeEnded, diagnostics: late }: LaunchEnd): RunResult {
    const { timedOut, aborted, killed } = ending.asked();
    return {
      runId,
      exitCode: timedOut || aborted || killed ? KILLED : exitCode,
      timedOut,
      aborted,
      durationMs: performance.now() - startedMs,
      stdout: log.captured("stdout"),
      stderr: log.captured("stderr"),
      isolation,
      treeEnded,
      diagnostics: [...diagnostics, ...late, ...(watching?.diagnostics() ?? [])].map(masking.diagnostic),
    };
  }

  const settled = result();
  // Whoever started the run may not have come to wait for it yet.
  settled.catch(() => undefined);
  return {
    runId,
    output: (options) => log.read(options),
    write: (bytes) => input.write(bytes),
    endInput: () => input.end(),
    signal: async (name) => {
      if (name === "SIGKILL") ending.kill();
      else if (!ending.isOver()) await launch.signal(name);
    },
    result: settled,
  };
}

/** What ends a run before its command does. */
function endings(launch: Launch, timeoutMs: number, signal: AbortSignal | undefined) {
  const asked = { timedOut: false, aborted: false, killed: false };
  let over = false;
  const end = (why: keyof typeof asked) => () => {
    // Afterwards the number of its process may be another's.
    if (over || Object.values(asked).includes(true)) return;
    asked[why] = true;
    launch.kill();
  };
  const abort = end("aborted");
  const timer = setTimeout(end("timedOut"), timeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  return {
    asked: () => asked,
    isOver: () => over,
    kill: end("killed"),
    stop: () => {
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
  };
}

async function drain(stream: Readable, log: OutputLog, name: "stdout" | "stderr"): Promise<void> {
  stream.on("data", (bytes: Buffer) => log.append(name, bytes));
  await new Promise<void>((resolve) => {
    stream.once("close", resolve);
    stream.once("error", () => resolve());
  });
}

async function inDrainTime(drained: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    // After a pause of the whole process the timer would come before output that is there already.
    timer = setTimeout(() => setImmediate(() => setImmediate(resolve)), DRAIN_MS);
  });
  await Promise.race([drained, late]);
  clearTimeout(timer);
}

function notStarted(why: string, log: OutputLog): SkillError {
  const said = log.captured("stderr").text.trim().slice(0, 500);
  return new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${why}. ${said || "It said nothing more."} Check \`skillwright doctor\`.`,
    { details: { said } },
  );
}
