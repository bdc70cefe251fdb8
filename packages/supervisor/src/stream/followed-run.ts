import { constants as system } from "node:os";
import { setTimeout } from "node:timers/promises";
import { type Diagnostic, type RunOutput, type RunResult, SkillError } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";
import { capturedOf, pieceFrom } from "../record/recorded-pieces.js";
import { outputLost } from "../record/run-diagnostics.js";
import { endOf, type RunReport, readReport } from "../record/run-report.js";
import type { Follower } from "./follow-record.js";
import type { RunRecord } from "./record-files.js";

const RENEWALS_PER_LEASE = 4;
const AGAIN_MS = 200;
const KILLED = 137;

export interface FollowedRunOptions {
  /** A follower of the run; one that is cut is replaced. */
  readonly first: Follower;
  /** What the run's file `run.json` says. */
  readonly record: RunRecord;
  /**
   * Tells what ended the place that the run was in, such as its container, with all its processes; `undefined` while
   * that is not certain. Asked when a connection broke, and when the supervisor ended before it knew the tree's end.
   */
  readonly fate: () => Promise<Diagnostic | undefined>;
  /** Follows again after a connection broke. A failure is tried again. */
  readonly again: () => Promise<Follower>;
  /** The limits that the run reached. */
  readonly reached: (report: RunReport, exitCode: number, record: RunRecord) => readonly Diagnostic[];
  /** Ends the run. */
  readonly signal: AbortSignal | undefined;
  /** The runtime is closed: the run goes on without this process. */
  readonly closed: AbortSignal;
}

/** A handle of a recorded run. It reaches the run's supervisor while that is alive, and reads the record afterwards. */
export function followedRun(options: FollowedRunOptions): RunHandle {
  const { first, record, fate, again, reached, signal, closed } = options;
  let follower = first;
  let isSettled = false;
  let asked = false;
  const renewing = setInterval(() => follower.tell("renew"), record.leaseMs / RENEWALS_PER_LEASE);
  renewing.unref();

  function end(how: "end" | "abort"): void {
    if (!asked && !isSettled) follower.tell(how);
    asked = true;
  }

  const abort = () => end("abort");
  const leave = () => follower.close();

  /** Returns what took the run with it, where that was not its own end. */
  async function untilOver(): Promise<Diagnostic | undefined> {
    for (;;) {
      while (!follower.told.isOver() && !follower.isCut()) await follower.next();
      const isOver = follower.told.isOver();
      if (isOver && (closed.aborted || readReport(follower.told.text("report")).gone)) return undefined;
      if (closed.aborted) throw left();
      const taken = await fate().catch(() => undefined);
      if (taken || isOver) return taken;
      const next = await again().catch(() => undefined);
      if (next) follower = next;
      else await setTimeout(AGAIN_MS);
      if (asked) follower.tell("abort");
    }
  }

  async function result(): Promise<RunResult> {
    try {
      const taken = await untilOver();
      const report = readReport(follower.told.text("report"));
      const { runId, isolation, maxOutputBytes } = record;
      const stdout = capturedOf(follower.told.pieces(), "stdout", maxOutputBytes);
      const stderr = capturedOf(follower.told.pieces(), "stderr", maxOutputBytes);
      const common = { runId, isolation, stdout, stderr, durationMs: report.took ?? 0 };
      if (taken && !(report.spoke && report.gone))
        return {
          ...common,
          ...{ exitCode: KILLED, timedOut: false, aborted: false, treeEnded: true },
          diagnostics: [...record.diagnostics, taken],
        };
      const ended = endOf({ ...report, full: [] }, report.asked !== undefined);
      if (ended.notStarted !== undefined) throw notStarted(ended.notStarted, stderr.text);
      const lost = report.lost === undefined ? [] : [outputLost(`error ${report.lost}`)];
      return {
        ...common,
        exitCode: ended.exitCode,
        timedOut: ended.endedBy === "time",
        aborted: ended.endedBy === "request" && report.asked === "abort",
        treeEnded: ended.treeEnded,
        diagnostics: [
          ...record.diagnostics,
          ...ended.diagnostics,
          ...lost,
          ...reached(report, ended.exitCode, record),
        ],
      };
    } finally {
      isSettled = true;
      clearInterval(renewing);
      signal?.removeEventListener("abort", abort);
      closed.removeEventListener("abort", leave);
      follower.close();
    }
  }

  async function* output({ from = 0 }: { from?: number } = {}): AsyncIterable<RunOutput> {
    let position = from;
    let read = 0;
    let source = follower;
    while (true) {
      const over = isSettled;
      if (source !== follower) [source, read] = [follower, 0];
      for (const pieces = source.told.pieces(); read < pieces.length; read++) {
        const piece = pieces[read];
        const part = piece && pieceFrom(piece, position);
        if (!part) continue;
        position = part.offset + part.bytes.byteLength;
        yield part;
      }
      if (over) return;
      await Promise.race([source.next(), settled.catch(() => undefined)]);
    }
  }

  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  closed.addEventListener("abort", leave, { once: true });
  if (closed.aborted) leave();
  follower.tell("renew");
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
      else if (!isSettled) follower.tell(`signal ${system.signals[name]}`);
    },
    result: settled,
  };
}

function notStarted(why: string, said: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${why}. ${said.trim().slice(0, 500) || "It printed no reason."} Check its directory, and use another key.`,
  );
}

function noInput(): SkillError {
  return new SkillError("CLOSED", "A run with a key takes no further input. Give `stdin` when you start it.");
}

function left(): SkillError {
  return new SkillError(
    "CLOSED",
    "The runtime has been closed while the run goes on. Another runtime finds it with runOf.",
  );
}
