import { constants as system } from "node:os";
import { setTimeout as after } from "node:timers/promises";
import { type Diagnostic, type RunResult, SkillError } from "@skillwright/core";
import type { RunHandle } from "@skillwright/core/adapter";
import type { OutputLog } from "../output/output-log.js";
import { outputLost } from "../record/run-diagnostics.js";
import { endOf, type RunReport, readReport } from "../record/run-report.js";
import type { Follower } from "./follow-record.js";
import type { RunRecord } from "./record-files.js";

const RENEWALS_PER_LEASE = 4;
const AGAIN_MS = 200;
/** A supervisor that can run ends its run sooner. */
const ENDING_MS = 250;
const KILLED = 137;

export interface FollowedRunOptions {
  /** A follower of the run; one that is cut is replaced. */
  readonly first: Follower;
  /** Gets the pieces that the followers are told. */
  readonly log: OutputLog;
  /** What the run's file `run.json` says. */
  readonly record: RunRecord;
  /**
   * Tells what ended the place that the run was in, such as its container, with all its processes; `undefined` while
   * that is not certain. Asked when a connection broke, and when the supervisor ended before it knew the tree's end.
   */
  readonly fate: (record: RunRecord) => Promise<Diagnostic | undefined>;
  /** Follows again after a connection broke. A failure is tried again, until the run's lease must have lapsed. */
  readonly again: () => Promise<Follower>;
  /**
   * Called when the run should have ended and has not, as in a container that is paused: makes its place go on, and waits for
   * the run. Returns why it gave up; the run's result then says so.
   */
  readonly wake?: ((over: Promise<unknown>) => Promise<Diagnostic | undefined>) | undefined;
  /** The limits that the run reached. */
  readonly reached: (report: RunReport, exitCode: number, record: RunRecord) => readonly Diagnostic[];
  /** Ends the run. */
  readonly signal: AbortSignal | undefined;
  /** The runtime is closed: a run that is kept goes on without this process, and another is ended. */
  readonly closed: AbortSignal;
  /**
   * Given for a run that nobody keeps: settles when its supervisor has ended, which removes the record when its output and its
   * report were read. The result waits for it, so that the id of the run is free, and nobody counts its limits any more.
   */
  readonly unkept?: { readonly ended: Promise<unknown> } | undefined;
}

type Outcome = Omit<RunResult, "runId" | "isolation" | "limits" | "stdout" | "stderr">;

/** A handle of a recorded run. It reaches the run's supervisor while that is alive, and reads the record afterwards. */
export function followedRun(options: FollowedRunOptions): RunHandle {
  const { first, log, record, fate, again, wake, reached, signal, closed, unkept } = options;
  const { runId, isolation, limits, leaseMs, timeoutMs } = record;
  const startedMs = performance.now();
  let follower = first;
  let isSettled = false;
  let asked: "end" | "abort" | undefined;
  let giveUp: (outcome: Outcome) => void = () => undefined;
  const givenUp = new Promise<Outcome>((resolve) => {
    giveUp = resolve;
  });
  const renewing = setInterval(() => follower.tell("renew"), leaseMs / RENEWALS_PER_LEASE).unref();
  const timeUp = wake && timeoutMs !== undefined ? setTimeout(() => void insist(true), timeoutMs) : undefined;

  function end(how: "end" | "abort"): void {
    if (asked || isSettled) return;
    asked = how;
    follower.tell(how);
    if (wake) void insist(false);
  }

  /** The run has been asked to end, or its time is up. */
  async function insist(timedOut: boolean): Promise<void> {
    // Its failure is the run's outcome.
    const over = Promise.race([settled.catch(() => undefined), after(ENDING_MS, "late", { ref: false })]);
    if ((await over) !== "late" || isSettled) return;
    // Its failure is the outcome of the run.
    const why = await wake?.(settled.catch(() => undefined));
    if (why && !isSettled)
      giveUp({
        ...{ exitCode: KILLED, timedOut, aborted: asked === "abort", treeEnded: false },
        ...{ durationMs: performance.now() - startedMs, diagnostics: [...record.diagnostics, why] },
      });
  }

  const abort = () => end("abort");
  const leave = () => (unkept ? end("end") : follower.close());
  const isLeft = () => closed.aborted === true && !unkept;

  /** Returns what took the run with it, where that was not its own end. */
  async function untilOver(): Promise<Diagnostic | undefined> {
    let cutMs: number | undefined;
    for (;;) {
      while (!follower.received.isOver() && !follower.isCut()) await follower.next();
      const isOver = follower.received.isOver();
      if (isOver && (isLeft() || readReport(follower.received.text("report")).gone)) return undefined;
      if (isLeft()) throw left();
      // If the fate of the run cannot be asked for, its own report counts, or it is asked for again.
      const taken = await fate(record).catch(() => undefined);
      if (taken || isOver) return taken;
      // A connection that cannot be made is tried again until the lease has lapsed.
      const next = await again().catch(() => undefined);
      if (next) {
        follower = next;
        cutMs = undefined;
        if (asked) follower.tell(asked);
        continue;
      }
      cutMs ??= performance.now();
      // The supervisor of a run ends it when the lease has lapsed, so that nothing can be waited for any longer.
      if (closed.aborted || performance.now() - cutMs > leaseMs) throw unreachable(leaseMs);
      await after(AGAIN_MS);
    }
  }

  async function outcome(): Promise<Outcome> {
    const taken = await untilOver();
    if (unkept && !taken) {
      follower.tell("taken");
      await unkept.ended;
    }
    const report = readReport(follower.received.text("report"));
    const durationMs = report.took ?? 0;
    if (taken && !(report.spoke && report.gone)) {
      const diagnostics = [...record.diagnostics, taken];
      return { durationMs, exitCode: KILLED, timedOut: false, aborted: false, treeEnded: true, diagnostics };
    }
    const { exitCode, endedBy, notStarted, treeEnded, diagnostics } = endOf(
      { ...report, full: [] },
      report.asked !== undefined,
    );
    if (notStarted !== undefined) throw failedToStart(notStarted, log.captured("stderr").text);
    return {
      durationMs,
      exitCode,
      timedOut: endedBy === "time",
      aborted: endedBy === "request" && report.asked === "abort",
      treeEnded,
      diagnostics: [
        ...record.diagnostics,
        ...diagnostics,
        ...(report.lost === undefined ? [] : [outputLost(`error ${report.lost}`)]),
        ...reached(report, exitCode, record),
      ],
    };
  }

  async function result(): Promise<RunResult> {
    try {
      const known = await Promise.race([outcome(), givenUp]);
      log.end();
      const [stdout, stderr] = [log.captured("stdout"), log.captured("stderr")];
      return { runId, isolation, limits, ...known, stdout, stderr };
    } finally {
      isSettled = true;
      log.end();
      clearInterval(renewing);
      clearTimeout(timeUp);
      signal?.removeEventListener("abort", abort);
      closed.removeEventListener("abort", leave);
      follower.close();
    }
  }

  const settled = result();
  // The caller may not have started to wait for it yet.
  settled.catch(() => undefined);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  closed.addEventListener("abort", leave, { once: true });
  if (closed.aborted) leave();
  follower.tell("renew");
  return {
    runId,
    output: (from) => log.read(from),
    write: async (bytes) => await follower.write(bytes),
    endInput: async () => follower.endInput(),
    signal: async (name) => {
      if (name === "SIGKILL") end("end");
      else if (!isSettled) follower.tell(`signal ${system.signals[name]}`);
    },
    result: settled,
  };
}

function failedToStart(why: string, said: string): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The command was not started: ${why}. ${said.trim().slice(0, 500) || "It printed no reason."} Check its directory, and use another run id.`,
  );
}

function unreachable(leaseMs: number): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `It is unknown how the command ended: its supervisor could not be reached for ${leaseMs} ms, after which it ends a run that no process follows. What the command did until then remains. Check its outputs before you run it again.`,
    { details: { treeEnded: false } },
  );
}

function left(): SkillError {
  return new SkillError(
    "CLOSED",
    "The runtime has been closed while the run goes on. Another runtime finds it with runOf.",
  );
}
