import { constants as system } from "node:os";
import { setTimeout } from "node:timers/promises";
import { type RunOutput, type RunResult, SkillError } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";
import { capturedOf, endOf, outputLost, pieceFrom, readReport } from "@skillwright/supervisor";
import { containerState } from "../container/container-state.js";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { containerEnded } from "../run/run-diagnostics.js";
import { type Follower, followRecord } from "./follow-record.js";
import type { RunRecord } from "./put-attempt.js";

const RENEWALS_PER_LEASE = 4;
const AGAIN_MS = 200;
const KILLED = 137;

export interface KeyedHandleOptions {
  /** Ends the run. */
  readonly signal: AbortSignal | undefined;
  /** The runtime is closed: the run goes on without this process. */
  readonly closed: AbortSignal;
}

/** A handle of the run that is recorded in the directory: of its supervisor while it is alive, and then of its record. */
export function keyedHandle(
  container: WorkspaceContainer,
  { directory, first }: { readonly directory: string; readonly first: Follower },
  { signal, closed }: KeyedHandleOptions,
): RunHandle {
  const record = JSON.parse(first.told.text("run.json")) as RunRecord;
  let follower = first;
  let isSettled = false;
  let asked = false;
  const renewing = setInterval(() => void follower.tell("renew"), record.leaseMs / RENEWALS_PER_LEASE);
  renewing.unref();

  function end(how: "end" | "abort"): void {
    if (!asked && !isSettled) void follower.tell(how);
    asked = true;
  }

  const abort = () => end("abort");
  const leave = () => follower.close();

  /** Follows again after a connection broke. Returns what the container became where it took the run with it. */
  async function untilOver(): Promise<"over" | "stopped" | "removed"> {
    for (;;) {
      while (!follower.told.isOver() && !follower.isCut()) await follower.next();
      if (follower.told.isOver()) return "over";
      if (closed.aborted) throw left();
      const { now } = await containerState(container);
      if (now === "stopped" || now === "removed") return now;
      await setTimeout(AGAIN_MS);
      follower = await followRecord(container, { directory }, {}).catch(() => follower);
      if (asked) void follower.tell("abort");
    }
  }

  async function result(): Promise<RunResult> {
    try {
      const how = await untilOver();
      const report = readReport(follower.told.text("report"));
      const { runId, isolation, maxOutputBytes } = record;
      const stdout = capturedOf(follower.told.pieces(), "stdout", maxOutputBytes);
      const stderr = capturedOf(follower.told.pieces(), "stderr", maxOutputBytes);
      const common = { runId, isolation, stdout, stderr, durationMs: report.took ?? 0 };
      if (how !== "over" && !report.gone)
        return {
          ...common,
          ...{ exitCode: KILLED, timedOut: false, aborted: false, treeEnded: true },
          diagnostics: [...record.diagnostics, containerEnded(how)],
        };
      const ended = endOf(report, report.asked !== undefined);
      if (ended.notStarted !== undefined) throw notStarted(ended.notStarted, stderr.text);
      const lost = report.lost === undefined ? [] : [outputLost(`error ${report.lost}`)];
      return {
        ...common,
        exitCode: ended.exitCode,
        timedOut: ended.endedBy === "time",
        aborted: ended.endedBy === "request" && report.asked === "abort",
        treeEnded: ended.treeEnded,
        diagnostics: [...record.diagnostics, ...ended.diagnostics, ...lost],
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
  void follower.tell("renew");
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
      else if (!isSettled) await follower.tell(`signal ${system.signals[name]}`);
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
    "The Docker runtime has been closed while the run goes on. Another runtime finds it with runOf.",
  );
}
