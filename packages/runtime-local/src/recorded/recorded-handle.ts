import { closeSync, openSync, readFileSync, statSync, utimesSync } from "node:fs";
import { constants as system } from "node:os";
import { setTimeout } from "node:timers/promises";
import { getSystemErrorName } from "node:util";
import { type Diagnostic, type RunOutput, type RunResult, SkillError } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";
import {
  capturedOf,
  endOf,
  outcomeUnknown,
  outputLost,
  pieceFrom,
  type RecordedPiece,
  type RunEnd,
  type RunReport,
  readReport,
  usageOf,
} from "@skillwright/supervisor";
import { inputClosed } from "../run/command-input.js";
import { resumingSupervisor } from "../run/resume-supervisor.js";
import { isSupervised, notedSupervisor, tellSupervisor } from "./control-pipe.js";
import { directoryChanges } from "./directory-changes.js";
import { heldDirectory } from "./held-directory.js";
import { keptPieces, trimOutput } from "./kept-output.js";
import { releaseClaim, removeAttempt } from "./record-place.js";
import { recordedInput } from "./recorded-input.js";
import { isSegment, outputReader } from "./recorded-output.js";
import { type RunRecord, readOutcome, readRunRecord, writeOutcome } from "./run-record.js";

const RENEWALS_PER_LEASE = 4;
const MOST_PAUSES = 1000;
const KILLED = 137;

export interface RecordedHandleOptions {
  /** Ends the run. */
  readonly signal: AbortSignal | undefined;
  /** Fires when the runtime is closed; the run then continues without this process. Missing for one that nobody keeps. */
  readonly closed: AbortSignal | undefined;
  /** What only the process that started the run knows about its end. Its outcome is then recorded. */
  readonly late?: ((end: RunEnd) => Promise<readonly Diagnostic[]>) | undefined;
  /** Settles when the supervisor has ended, where this process is told. */
  readonly ended?: Promise<unknown> | undefined;
  /** The record of the run, so that it is not read again; given by the process that wrote it. */
  readonly written?: RunRecord | undefined;
  /** Given for a run that nobody keeps. The record is removed when the run is over and nobody reads its output any more. */
  readonly unkept?: UnkeptRun | undefined;
  /** Called when the run is over, before its result is available. */
  readonly over?: (() => Promise<void>) | undefined;
}

interface UnkeptRun {
  /** True where the supervisor passes on what is written to the record's FIFO. */
  readonly hasInput: boolean;
  /** True while the workspace exists: destroying it ends its runs. */
  readonly exists: () => boolean;
}

/** A handle of the run that is recorded in the directory: of its supervisor while it is alive, and then of its record. */
export function recordedHandle(
  directory: string,
  { signal, closed, late, ended, written, unkept, over }: RecordedHandleOptions,
): RunHandle {
  const record = written ?? readRunRecord(directory);
  // The workspace may be renamed in order to be destroyed.
  const held = heldDirectory(directory);
  const place = held?.path ?? directory;
  const reportFile = openSync(`${place}/report`, "r");
  let isServed = ended !== undefined;
  const changes = directoryChanges(directory, (name) => isSegment(name) || (!isServed && name === "report"));
  const renewing = setInterval(renew, record.leaseMs / RENEWALS_PER_LEASE);
  const input = unkept?.hasInput ? recordedInput(place, tell) : undefined;
  const timeUp = performance.now() + record.timeoutMs;
  let resume: (() => boolean) | undefined;
  let kept: readonly RecordedPiece[] | undefined;
  let asked = false;
  let reported = "";
  let readers = 0;
  let isOver = false;

  function renew(): void {
    const now = new Date();
    try {
      utimesSync(`${place}/lease`, now, now);
    } catch {
      // The file is removed with the workspace.
    }
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
      const supervised = (isServed && !closed?.aborted) || isSupervised(place);
      if (!supervised || !isServed) {
        // What was added since the last time.
        reported += readFileSync(reportFile, "utf8");
        const report = readReport(reported);
        if (!supervised) return report;
        if (report.gone) return await untilExited(place, report);
      }
      if (closed?.aborted) throw left();
      if (asked || performance.now() > timeUp) {
        resume ??= resumingSupervisor(() => notedSupervisor(place));
        resume();
      }
      await changes.next();
    }
  }

  async function result(): Promise<RunResult> {
    try {
      const report = await untilOver();
      kept = keptPieces(place, record.maxOutputBytes);
      return await resultOf(report, kept, isInPlace()).finally(over);
    } finally {
      kept ??= [];
      clearInterval(renewing);
      changes.close();
      input?.close();
      signal?.removeEventListener("abort", abort);
      closed?.removeEventListener("abort", changes.close);
      closeSync(reportFile);
      held?.close();
      if (unkept) releaseClaim(directory);
      isOver = true;
      if (readers === 0) removeUnkept();
    }
  }

  /** False once the workspace is being destroyed: files of the record may be missing from then on. */
  function isInPlace(): boolean {
    try {
      const [there, own] = [statSync(directory), statSync(place)];
      return there.ino === own.ino && there.dev === own.dev;
    } catch {
      return false;
    }
  }

  async function resultOf(
    report: RunReport,
    pieces: readonly RecordedPiece[],
    isWhole: boolean,
  ): Promise<RunResult> {
    const reported = endOf(report, report.asked !== undefined);
    // A part of what it printed may be missing, so that its end cannot be told as an ordinary one.
    const end = isWhole || reported.endedBy !== "itself" ? reported : lostOutput(reported);
    const stdout = capturedOf(pieces, "stdout", record.maxOutputBytes);
    const stderr = capturedOf(pieces, "stderr", record.maxOutputBytes);
    const known = await late?.(end);
    const isMissed = end.notStarted !== undefined && unkept?.exists() === false;
    if (end.notStarted !== undefined && !isMissed) throw notStarted(end.notStarted, stderr.text, !unkept);
    const outcome = (late ? undefined : readOutcome(place)) ?? {
      runId: record.runId,
      exitCode: end.exitCode,
      timedOut: end.endedBy === "time",
      aborted: end.endedBy === "request" && report.asked === "abort",
      durationMs: report.took ?? 0,
      ...usageOf(report),
      isolation: record.isolation,
      limits: record.limits,
      treeEnded: end.treeEnded,
      diagnostics: [...record.diagnostics, ...end.diagnostics, ...lost(report), ...(known ?? [])],
    };
    if (late && !unkept) writeOutcome(place, outcome);
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
    const home = heldDirectory(directory);
    const reader = home ? outputReader(home.path) : { next: () => kept ?? [] };
    try {
      for (let over = false; ; ) {
        const pieces = reader.next();
        for (const piece of pieces) {
          const part = pieceFrom(piece, position);
          if (!part) continue;
          position = part.offset + part.bytes.byteLength;
          yield part;
        }
        if (over && (!home || pieces.length === 0)) return;
        if (kept !== undefined) over = true;
        else if (pieces.length === 0) await untilChanged();
      }
    } finally {
      if (--readers === 0 && home && !unkept) trim(home.path);
      home?.close();
      if (readers === 0 && isOver) removeUnkept();
    }
  }

  function removeUnkept(): void {
    if (unkept) removeAttempt(directory);
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
  closed?.addEventListener("abort", changes.close, { once: true });
  void ended?.then(() => {
    isServed = false;
    changes.wake();
  });
  if (!written) renew();
  const settled = result();
  // The caller may not have started to wait for it yet.
  settled.catch(() => undefined);
  return {
    runId: record.runId,
    output,
    ...(input ? { write: input.write, endInput: input.end } : takesNoInput),
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

function lostOutput(end: RunEnd): RunEnd {
  const diagnostics = [...end.diagnostics, outcomeUnknown(end.treeEnded)];
  return { ...end, exitCode: KILLED, endedBy: "outside", diagnostics };
}

function lost({ lost: errno }: RunReport): readonly Diagnostic[] {
  return errno === undefined ? [] : [outputLost(getSystemErrorName(-errno))];
}

function notStarted(why: string, said: string, isKept: boolean): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${why}. ${said.trim().slice(0, 500) || "It printed no reason."} Check \`skillwright doctor\`${isKept ? ", and use another run id" : ""}.`,
  );
}

/** The error of a handle whose runtime was closed. */
export function left(): SkillError {
  return new SkillError(
    "CLOSED",
    "The local runtime has been closed while the run goes on. Another runtime finds it with runOf.",
  );
}

/** The input of a run that has none, or has got all of it when it starts. */
export const takesNoInput: Pick<RunHandle, "write" | "endInput"> = {
  write: async () => {
    throw inputClosed();
  },
  endInput: async () => undefined,
};
