import { closeSync, openSync, readFileSync, utimesSync } from "node:fs";
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
import { resumingSupervisor } from "../run/resume-supervisor.js";
import { isSupervised, notedSupervisor, tellSupervisor } from "./control-pipe.js";
import { directoryChanges } from "./directory-changes.js";
import { heldDirectory } from "./held-directory.js";
import { keptPieces, trimOutput } from "./kept-output.js";
import { isSegment, outputReader } from "./recorded-output.js";
import { type RunRecord, readOutcome, readRunRecord, writeOutcome } from "./run-record.js";

const RENEWALS_PER_LEASE = 4;
const MOST_PAUSES = 1000;

export interface KeyedHandleOptions {
  /** Ends the run. */
  readonly signal: AbortSignal | undefined;
  /** The runtime is closed: the run goes on without this process. */
  readonly closed: AbortSignal;
  /** What only the process that started the run knows about its end. Its outcome is then recorded. */
  readonly late?: ((end: RunEnd) => Promise<readonly Diagnostic[]>) | undefined;
  /** Settles when the supervisor has ended, where this process is told. */
  readonly ended?: Promise<unknown> | undefined;
  /** The record of the run, so that it is not read again; given by the process that wrote it. */
  readonly written?: RunRecord | undefined;
}

/** A handle of the run that is recorded in the directory: of its supervisor while it is alive, and then of its record. */
export function keyedHandle(
  directory: string,
  { signal, closed, late, ended, written }: KeyedHandleOptions,
): RunHandle {
  const record = written ?? readRunRecord(directory);
  // The workspace may be renamed in order to be destroyed.
  const held = heldDirectory(directory);
  const place = held?.path ?? directory;
  const reportFile = openSync(`${place}/report`, "r");
  let isServed = ended !== undefined;
  const changes = directoryChanges(directory, (name) => isSegment(name) || (!isServed && name === "report"));
  const renewing = setInterval(renew, record.leaseMs / RENEWALS_PER_LEASE);
  const timeUp = performance.now() + record.timeoutMs;
  const resume = resumingSupervisor(() => notedSupervisor(place));
  let kept: readonly RecordedPiece[] | undefined;
  let asked = false;
  let reported = "";
  let readers = 0;

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
      const supervised = (isServed && !closed.aborted) || isSupervised(place);
      if (!supervised || !isServed) {
        // What was added since the last time.
        reported += readFileSync(reportFile, "utf8");
        const report = readReport(reported);
        if (!supervised) return report;
        if (report.gone) return await untilExited(place, report);
      }
      if (closed.aborted) throw left();
      if (asked || performance.now() > timeUp) resume();
      await changes.next();
    }
  }

  async function result(): Promise<RunResult> {
    try {
      const report = await untilOver();
      kept = keptPieces(place, record.maxOutputBytes);
      return await resultOf(report, kept);
    } finally {
      kept ??= [];
      clearInterval(renewing);
      changes.close();
      signal?.removeEventListener("abort", abort);
      closed.removeEventListener("abort", changes.close);
      closeSync(reportFile);
      held?.close();
    }
  }

  async function resultOf(report: RunReport, pieces: readonly RecordedPiece[]): Promise<RunResult> {
    const end = endOf(report, report.asked !== undefined);
    const stdout = capturedOf(pieces, "stdout", record.maxOutputBytes);
    const stderr = capturedOf(pieces, "stderr", record.maxOutputBytes);
    const lateDiagnostics = (await late?.(end)) ?? [];
    if (end.notStarted !== undefined) throw notStarted(end.notStarted, stderr.text);
    const outcome = (late ? undefined : readOutcome(place)) ?? {
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

  /** Without a change in the record there is nothing to read. */
  async function untilChanged(): Promise<void> {
    while (kept === undefined && !(await changes.next())) {}
  }

  async function* output({ from = 0 }: { from?: number } = {}): AsyncIterable<RunOutput> {
    let position = from;
    readers++;
    // A reader gets all of the record. `kept` has only the beginning and the end of long output.
    const own = heldDirectory(directory);
    const reader = own ? outputReader(own.path) : { next: () => kept ?? [] };
    try {
      for (let over = false; ; ) {
        const pieces = reader.next();
        for (const piece of pieces) {
          const part = pieceFrom(piece, position);
          if (!part) continue;
          position = part.offset + part.bytes.byteLength;
          yield part;
        }
        if (over && (!own || pieces.length === 0)) return;
        if (kept !== undefined) over = true;
        else if (pieces.length === 0) await untilChanged();
      }
    } finally {
      if (--readers === 0 && own) trim(own.path);
      own?.close();
    }
  }

  /** Shortens the record to what is kept, once nobody reads the whole output any more. */
  function trim(path: string): void {
    const { maxOutputBytes, liveOutputBytes = maxOutputBytes } = record;
    if (kept === undefined || liveOutputBytes <= maxOutputBytes) return;
    try {
      trimOutput(path, kept);
    } catch {
      // The workspace is being destroyed.
    }
  }

  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  closed.addEventListener("abort", changes.close, { once: true });
  void ended?.then(() => {
    isServed = false;
    changes.wake();
  });
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
