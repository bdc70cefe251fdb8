import { constants as system } from "node:os";
import { type RunResult, SkillError } from "@skillwright/core";
import { checkAborted, type RunCommand, type RunHandle } from "@skillwright/core/adapter";
import { isKnownEnd, outputLog, readReport, type StreamedCommand } from "@skillwright/supervisor";
import { endedWithPod, outcomeOf } from "./run-outcome.js";
import { planRun, type RunCall } from "./run-plan.js";
import type { RunStreams } from "./run-streams.js";

/** Starts a command that ends with this process. Settles when it has begun. */
export async function startRun(
  streams: RunStreams,
  command: RunCommand,
  { means, signal, fate }: RunCall,
): Promise<RunHandle> {
  checkAborted(signal);
  const { masking, variables, options, program, diagnostics } = planRun(command, means);
  const { runId, maxOutputBytes, cwd } = command;
  const stream = await streams.open({ signal });
  const log = outputLog(maxOutputBytes, masking);
  const startedMs = performance.now();
  const takesInput = command.interactive === true || command.stdin !== undefined;
  let report = "";
  let asked: "end" | "abort" | undefined;
  let isOver = false;
  let hasBegun = () => {};
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });
  const running: StreamedCommand = stream.start({
    arguments: ["run", "--report", "3", "--control", "4", ...options, "--", ...program],
    variables,
    inputs: takesInput ? [0, 4] : [4],
    note: runId,
    onBytes: (descriptor, bytes) => {
      if (descriptor === 1) log.append("stdout", bytes);
      else if (descriptor === 2) log.append("stderr", bytes);
      else {
        report += Buffer.from(bytes).toString("latin1");
        if (/^(begun|failed .*|gone)$/m.test(report)) hasBegun();
      }
    },
  });

  function tell(line: string): void {
    running.write(4, Buffer.from(`${line}\n`)).catch(() => undefined);
  }

  function end(how: "end" | "abort"): void {
    if (asked || isOver) return;
    asked = how;
    tell(how);
  }

  const abort = () => end("abort");
  const close = () => end("end");

  async function result(): Promise<RunResult> {
    try {
      const end = await running.ended;
      const durationMs = performance.now() - startedMs;
      log.end();
      const read = readReport(report);
      const isKnown = isKnownEnd(read, end !== undefined);
      // The supervisor may notice that its pod ends before the connection breaks.
      const taken = isKnown ? undefined : await fate();
      if (!end && !isKnown && !taken) throw connectionLost();
      const said = log.captured("stderr").text;
      const outcome = taken
        ? endedWithPod(taken)
        : outcomeOf(read, { asked: asked !== undefined, aborted: asked === "abort", cwd, said });
      return {
        runId,
        ...outcome,
        ...{
          durationMs,
          isolation: means.isolation,
          stdout: log.captured("stdout"),
          stderr: log.captured("stderr"),
        },
        diagnostics: [...diagnostics, ...outcome.diagnostics].map(masking.diagnostic),
      };
    } catch (error) {
      throw masking.error(error);
    } finally {
      isOver = true;
      log.end();
      hasBegun();
      signal?.removeEventListener("abort", abort);
      means.closed.removeEventListener("abort", close);
    }
  }

  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  means.closed.addEventListener("abort", close, { once: true });
  const settled = result();
  settled.catch(() => undefined);
  await begun;
  // Nothing has run: the reason is an error of the start.
  if (readReport(report).failed) await settled;
  return {
    runId,
    output: (from) => log.read(from),
    write: async (bytes) => {
      if (!takesInput) throw noInput();
      await running.write(0, bytes);
    },
    endInput: async () => (takesInput ? running.end(0) : undefined),
    signal: async (name) => {
      if (name === "SIGKILL") end("end");
      else if (!isOver) tell(`signal ${system.signals[name]}`);
    },
    result: settled,
  };
}

function noInput(): SkillError {
  return new SkillError(
    "CLOSED",
    "The standard input of this run has ended. Set `interactive` to keep it open.",
  );
}

function connectionLost(): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    "It is unknown how the command ended: the connection to its pod broke, and a run without a key ends with its host. Check its outputs before you run it again, or use a key.",
    { details: { treeEnded: false } },
  );
}
