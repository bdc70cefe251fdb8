import { constants as system } from "node:os";
import { setTimeout } from "node:timers/promises";
import type { Diagnostic, Isolation, RunResult } from "@skillwright/core";
import type { RunCommand, RunHandle } from "@skillwright/core/adapter";
import { endOf, isKnownEnd, type OutputLog, outcomeUnknown, type RunReport } from "@skillwright/supervisor";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { type EngineClient, withinOneCall } from "../engine/engine-client.js";
import { type ContainerFate, containerFate } from "../run/container-fate.js";
import { endTree, type TreeEnd } from "../run/end-run.js";
import { endings } from "../run/endings.js";
import { containerEnded, treeLeft } from "../run/run-diagnostics.js";
import { endUnknown, isOver } from "../run/unknown-end.js";
import type { PreparedRun } from "./prepare-run.js";
import { reachedLimits } from "./served-limits.js";
import { isSettled, type ServedRun } from "./served-run.js";

const KILLED = 137;
/** A supervisor that can run ends a tree sooner; one that is stopped needs help. */
const ENDING_MS = 250;
const ATTEMPTS = 4;
const PAUSE_MS = 50;

export interface ServedHandleOptions {
  readonly signal: AbortSignal | undefined;
  readonly isolation: Isolation;
  readonly prepared: PreparedRun;
  readonly log: OutputLog;
  /** Time of the container's last start, in the engine's format. */
  readonly startedAt: string | undefined;
  /** True where other commands run in the container. */
  readonly hasOthers: () => boolean;
  /** Called before the result is available; must not throw. */
  readonly afterwards: (container: WorkspaceContainer) => Promise<void>;
}

/** What is known of a run that is over, or was given up. */
interface Outcome {
  readonly exitCode: number;
  readonly timedOut: boolean;
  readonly treeEnded: boolean;
  readonly late: readonly Diagnostic[];
}

/** Supervises a command that its container's supervisor started, and returns its outcome. */
export function servedHandle(
  container: WorkspaceContainer,
  run: ServedRun,
  { runId, timeoutMs }: RunCommand,
  { signal, isolation, prepared, log, startedAt, hasOthers, afterwards }: ServedHandleOptions,
): RunHandle {
  const { masking, group, runDirectory } = prepared;
  let deadlined: EngineClient | undefined;
  /** All queries to end the run, or after its end, share one deadline. */
  const soon = (): WorkspaceContainer => {
    deadlined ??= withinOneCall(container.engine);
    return { ...container, engine: deadlined };
  };
  let giveUp: (outcome: Outcome) => void = () => undefined;
  const givenUp = new Promise<Outcome>((resolve) => {
    giveUp = resolve;
  });
  const ending = endings({ timeoutMs, signal }, () => void end());

  /** A container that is paused cannot end its runs, and neither can one whose engine hangs. */
  async function end(): Promise<void> {
    run.tell("end");
    if (await isSettled(run.ended, ENDING_MS)) return;
    try {
      const { engine } = soon();
      // Wakes it; where it is gone, the connection ends.
      await engine.call("Ending a command", () => container.ready());
      await engine.call("Waiting for the end of a command", () => run.ended);
    } catch (error) {
      if (await isSettled(run.ended, ENDING_MS)) return;
      const why = error instanceof Error ? error.message : String(error);
      giveUp(asked(treeLeft(`the engine could not be asked (${why})`)));
    }
  }

  function asked(...late: readonly Diagnostic[]): Outcome {
    return { exitCode: KILLED, timedOut: ending.asked().timedOut, treeEnded: late.length === 0, late };
  }

  async function result(): Promise<RunResult> {
    try {
      const over = run.ended.then(async (end) => {
        const report = run.report();
        const hasEnded = end !== undefined;
        return isKnownEnd(report, hasEnded) ? known(report) : await lost(hasEnded, report);
      });
      const { exitCode, timedOut, treeEnded, late } = await Promise.race([over, givenUp]);
      log.end();
      return {
        runId,
        exitCode,
        timedOut,
        aborted: ending.asked().aborted,
        durationMs: performance.now() - run.startedMs,
        stdout: log.captured("stdout"),
        stderr: log.captured("stderr"),
        isolation,
        treeEnded,
        diagnostics: [...prepared.diagnostics, ...late].map(masking.diagnostic),
      };
    } finally {
      ending.stop();
      log.end();
      await afterwards(soon());
    }
  }

  function known(report: RunReport): Outcome {
    const { timedOut, aborted, killed } = ending.asked();
    const end = endOf({ ...report, full: [] }, timedOut || aborted || killed);
    const reached = reachedLimits(report, end.exitCode, runDirectory);
    return {
      exitCode: end.exitCode,
      timedOut: timedOut || report.timedOut,
      treeEnded: end.treeEnded,
      late: [...end.diagnostics, ...reached],
    };
  }

  /** The connection, the container or the run's own supervisor has ended before the run. */
  async function lost(isAlive: boolean, { ended }: RunReport): Promise<Outcome> {
    ending.stop();
    const became = isAlive ? "living" : await fate();
    if (became === "stopped" || became === "removed")
      return { exitCode: KILLED, timedOut: false, treeEnded: true, late: [containerEnded(became)] };
    const tree: TreeEnd =
      became === "living"
        ? await endTree(soon(), { group, hasOthers, soon: soon().engine })
        : { end: "unknown", diagnostics: [] };
    const treeEnded = isOver(tree.end);
    const { timedOut, aborted, killed } = ending.asked();
    if (timedOut || aborted || killed) return { ...asked(...tree.diagnostics), treeEnded };
    if (ended?.how === "exit")
      return { exitCode: ended.number, timedOut: false, treeEnded, late: tree.diagnostics };
    if (!isAlive) throw endUnknown("the connection to its container broke", tree.end);
    return {
      exitCode: KILLED,
      timedOut: false,
      treeEnded,
      late: [outcomeUnknown(treeEnded), ...tree.diagnostics],
    };
  }

  async function fate(): Promise<ContainerFate["became"]> {
    for (let attempt = 1; ; attempt++) {
      const { became } = await containerFate(soon(), startedAt);
      if (became !== "unknown" || attempt === ATTEMPTS) return became;
      // Connections that waited for calls may have broken with that of the run; the client notices a little later.
      await setTimeout(PAUSE_MS);
    }
  }

  const settled = result().catch((error: unknown) => {
    throw masking.error(error);
  });
  // The caller may not have started to wait for it yet.
  settled.catch(() => undefined);
  return {
    runId,
    output: (options) => log.read(options),
    write: async (bytes) => await run.command.write(0, bytes),
    endInput: async () => run.command.end(0),
    signal: async (name) => {
      if (name === "SIGKILL") ending.kill();
      else if (!ending.isOver()) run.tell(`signal ${system.signals[name]}`);
    },
    result: settled,
  };
}
