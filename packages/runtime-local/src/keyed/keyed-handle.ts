import { closeSync, constants, openSync, readFileSync, utimesSync } from "node:fs";
import { constants as system } from "node:os";
import { setTimeout } from "node:timers/promises";
import { getSystemErrorName } from "node:util";
import { type Diagnostic, type RunOutput, type RunResult, SkillError } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";
import {
  capturedOf,
  endOf,
  outputLost,
  pieceFrom,
  type RecordedPiece,
  type RunEnd,
  type RunReport,
  readReport,
} from "@skillwright/supervisor";
import { isSupervised, signalSupervisor, tellSupervisor } from "./control-pipe.js";
import { directoryChanges } from "./directory-changes.js";
import { outputReader } from "./recorded-output.js";
import { readOutcome, readRunRecord, writeOutcome } from "./run-record.js";

const RENEWALS_PER_LEASE = 4;
const MOST_PAUSES = 1000;

export interface KeyedHandleOptions {
  /** Ends the run. */
  readonly signal: AbortSignal | undefined;
  /** The runtime is closed: the run goes on without this process. */
  readonly closed: AbortSignal;
  /** What only the process that started the run knows about its end. Its outcome is then recorded. */
  readonly late?: ((end: RunEnd) => Promise<readonly Diagnostic[]>) | undefined;
}

/** A handle of the run that is recorded in the directory: of its supervisor while it is alive, and then of its record. */
export function keyedHandle(directory: string, { signal, closed, late }: KeyedHandleOptions): RunHandle {
  const record = readRunRecord(directory);
  // Through its descriptor, the directory can be read after the workspace was renamed in order to be destroyed.
  const opened = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  const place = `/proc/self/fd/${opened}`;
  const reportFile = openSync(`${place}/report`, "r");
  const changes = directoryChanges(directory);
  const renewing = setInterval(renew, record.leaseMs / RENEWALS_PER_LEASE);
  const timeUp = performance.now() + record.timeoutMs;
  let kept: readonly RecordedPiece[] | undefined;
  let asked = false;
  let reported = "";

  function renew(): void {
    const now = new Date();
    // The file is removed with the workspace.
    try {
      utimesSync(`${place}/lease`, now, now);
    } catch {}
  }

  function tell(line: string): void {
    if (kept !== undefined) return;
    tellSupervisor(place, line);
  }

  function end(how: "end" | "abort"): void {
    if (!asked) tell(how);
    asked = true;
  }

  const abort = () => end("abort");

  async function untilOver(): Promise<RunReport> {
    for (;;) {
      const supervised = isSupervised(place);
      // What was added since the last time.
      reported += readFileSync(reportFile, "utf8");
      const report = readReport(reported);
      if (!supervised) return report;
      if (report.gone) return await untilExited(place, report);
      if (closed.aborted) throw left();
      // A command without isolation may stop its supervisor at any time.
      if (asked || performance.now() > timeUp) signalSupervisor(place, "SIGCONT");
      await changes.next();
    }
  }

  async function result(): Promise<RunResult> {
    try {
      const report = await untilOver();
      kept = outputReader(place).next();
      return await resultOf(report, kept);
    } finally {
      kept ??= [];
      clearInterval(renewing);
      changes.close();
      signal?.removeEventListener("abort", abort);
      closed.removeEventListener("abort", changes.close);
      closeSync(reportFile);
      closeSync(opened);
    }
  }

  async function resultOf(report: RunReport, pieces: readonly RecordedPiece[]): Promise<RunResult> {
    const end = endOf(report, report.asked !== undefined);
    const stdout = capturedOf(pieces, "stdout", record.maxOutputBytes);
    const stderr = capturedOf(pieces, "stderr", record.maxOutputBytes);
    const lateDiagnostics = (await late?.(end)) ?? [];
    if (end.notStarted !== undefined) throw notStarted(end.notStarted, stderr.text);
    const outcome = readOutcome(place) ?? {
      runId: record.runId,
      exitCode: end.exitCode,
      timedOut: end.endedBy === "time",
      aborted: end.endedBy === "request" && report.asked === "abort",
      durationMs: report.took ?? 0,
      isolation: record.isolation,
      treeEnded: end.treeEnded,
      diagnostics: [...record.diagnostics, ...end.diagnostics, ...lost(report), ...lateDiagnostics],
    };
    if (late) writeOutcome(place, outcome);
    return { ...outcome, stdout, stderr };
  }

  async function* output({ from = 0 }: { from?: number } = {}): AsyncIterable<RunOutput> {
    let position = from;
    const reader = outputReader(place);
    while (true) {
      const over = kept;
      for (const piece of over ?? reader.next()) {
        const part = pieceFrom(piece, position);
        if (!part) continue;
        position = part.offset + part.bytes.byteLength;
        yield part;
      }
      if (over) return;
      if (kept === undefined) await changes.next();
    }
  }

  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  closed.addEventListener("abort", changes.close, { once: true });
  renew();
  const settled = result();
  // The caller may not have started to wait for it yet.
  settled.catch(() => undefined);
  return {
    runId: record.runId,
    output,
    write: async () => {
      throw noInput();
    },
    endInput: async () => undefined,
    signal: async (name) => {
      if (name === "SIGKILL") end("end");
      else tell(`signal ${system.signals[name]}`);
    },
    result: settled,
  };
}

/** The supervisor itself ends at once, unless a command without isolation stopped it. */
async function untilExited(place: string, report: RunReport): Promise<RunReport> {
  for (let pause = 0; pause < MOST_PAUSES && isSupervised(place); pause++) await setTimeout(1);
  return report;
}

function lost({ lost: errno }: RunReport): readonly Diagnostic[] {
  return errno === undefined ? [] : [outputLost(getSystemErrorName(-errno))];
}

function notStarted(why: string, said: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${why}. ${said.trim().slice(0, 500) || "It printed no reason."} Check \`skillwright doctor\`, and use another key.`,
  );
}

function noInput(): SkillError {
  return new SkillError("CLOSED", "A run with a key takes no further input. Give `stdin` when you start it.");
}

function left(): SkillError {
  return new SkillError(
    "CLOSED",
    "The local runtime has been closed while the run goes on. Another runtime finds it with runOf.",
  );
}
