import { setTimeout as delay } from "node:timers/promises";
import type { Diagnostic, Isolation, RunResult, SkillError } from "@skillwright/core";
import type { RunCommand, RunHandle, SecretMasking } from "@skillwright/core/adapter";
import { type OutputLog, outputLog } from "@skillwright/supervisor";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { type EngineClient, withinOneCall } from "../engine/engine-client.js";
import { statusOf } from "../engine/engine-error.js";
import type { ExecEnd } from "../exec/container-exec.js";
import { containerProcesses } from "../exec/container-processes.js";
import { type ContainerFate, containerFate } from "./container-fate.js";
import { endTree, type TreeEnd } from "./end-run.js";
import { endings } from "./endings.js";
import type { Launch } from "./launch.js";
import { countedIn, metLimits } from "./met-limits.js";
import { ownLines } from "./own-lines.js";
import { containerEnded } from "./run-diagnostics.js";
import { signalCommand } from "./signal-command.js";
import { endUnknown, isOver } from "./unknown-end.js";

/** Time for output that is still in transit when every process of a run has ended. */
const DRAIN_MS = 100;
const KILLED = 137;
const NONE_LEFT: TreeEnd = { end: "ended", diagnostics: [] };

export interface RunHandleOptions {
  readonly signal: AbortSignal | undefined;
  readonly isolation: Isolation;
  /** Diagnostics known before the end. */
  readonly diagnostics: readonly Diagnostic[];
  readonly masking: SecretMasking;
  /** Time of the container's last start, in the engine's format. */
  readonly startedAt: string | undefined;
  /** True where other commands run in the container. */
  readonly hasOthers: () => boolean;
  /** Called before the result is available; must not throw. */
  readonly afterwards: (container: WorkspaceContainer) => Promise<void>;
}

/** Supervises a started command: collects its output, ends it in time, and returns its outcome. */
export function runHandle(
  container: WorkspaceContainer,
  launch: Launch,
  { runId, timeoutMs, maxOutputBytes }: RunCommand,
  { signal, isolation, diagnostics, masking, startedAt, hasOthers, afterwards }: RunHandleOptions,
): RunHandle {
  const { exec, group } = launch;
  const startedMs = performance.now();
  const log = outputLog(maxOutputBytes, masking);
  let killing: Promise<TreeEnd> | undefined;
  let deadlined: EngineClient | undefined;
  /** All queries after the end of the run, or to end it, share one deadline. */
  const soon = () => {
    deadlined ??= withinOneCall(container.engine);
    return deadlined;
  };
  const ending = endings({ timeoutMs, signal }, () => {
    killing = endTree(container, { group, hasOthers, soon: soon() });
    // The result is handled below; the command's streams may end earlier.
    wake();
  });
  let wake = () => {};
  const killed = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let sight: Promise<boolean> | undefined;
  const drained = drain(launch, log, () => {
    sight ??= hasNone(container, group);
  });

  async function result(): Promise<RunResult> {
    await Promise.race([drained, killed.then(async () => await killing)]);
    const endedMs = performance.now();
    ending.stop();
    try {
      return killing ? await endedByUs(await killing) : await endedByItself(endedMs - startedMs);
    } finally {
      exec.close();
      log.end();
      await afterwards({ ...container, engine: soon() });
    }
  }

  async function endedByUs({ end, diagnostics: late }: TreeEnd): Promise<RunResult> {
    const stop = new AbortController();
    await Promise.race([drained, delay(DRAIN_MS, undefined, { signal: stop.signal }).catch(() => undefined)]);
    stop.abort();
    exec.close();
    const durationMs = performance.now() - startedMs;
    return resultOf({ exitCode: KILLED, durationMs, treeEnded: isOver(end), late });
  }

  async function endedByItself(durationMs: number): Promise<RunResult> {
    const asked = { ...container, engine: soon() };
    const seen = sight ?? hasNone(asked, group);
    const [exit, none] = await Promise.all([exec.end().catch((error: unknown) => ({ error })), seen]);
    // Not before its end is known: a command whose connection broke would seem to have ended by itself.
    const tree = none ? NONE_LEFT : await endTree(container, { group, hasOthers, soon: soon() });
    const line = countedIn(await drained);
    const fate = mayBeContainersEnd(exit, line, tree) ? await fateOf(asked, tree) : undefined;
    const exitCode = "exitCode" in exit ? exit.exitCode : exitCodeWithout(exit.error, tree, fate);
    const counters = line ?? (fate?.became === "living" ? fate.counters : undefined);
    const counted = metLimits(launch, counters, exitCode);
    const ended = fate && fate.became !== "living" ? [containerEnded(fate.became)] : [];
    const late = [...ended, ...tree.diagnostics, ...counted];
    return resultOf({ exitCode, durationMs, treeEnded: isOver(tree.end), late });
  }

  async function fateOf(asked: WorkspaceContainer, { end }: TreeEnd): Promise<ContainerFate> {
    return isGone(end) ? { became: end } : await containerFate(asked, startedAt);
  }

  function resultOf(end: {
    exitCode: number;
    durationMs: number;
    treeEnded: boolean;
    late: readonly Diagnostic[];
  }): RunResult {
    const { exitCode, durationMs, treeEnded, late } = end;
    const { timedOut, aborted } = ending.asked();
    log.end();
    return {
      runId,
      exitCode,
      timedOut,
      aborted,
      durationMs,
      stdout: log.captured("stdout"),
      stderr: log.captured("stderr"),
      isolation,
      treeEnded,
      diagnostics: [...diagnostics, ...late].map(masking.diagnostic),
    };
  }

  const settled = result().catch((error: unknown) => {
    throw masking.error(error);
  });
  // The caller may not have started to wait for it yet.
  settled.catch(() => undefined);
  return {
    runId,
    output: (options) => log.read(options),
    write: (bytes) => exec.write(bytes),
    endInput: () => exec.endInput(),
    signal: async (name) => {
      if (name === "SIGKILL") ending.kill();
      else if (!ending.isOver()) await signalCommand(container, launch, name);
    },
    result: settled,
  };
}

/** Reads all output, so that the command never blocks; returns the wrapper's last line. */
async function drain(
  { output, mark }: Launch,
  log: OutputLog,
  onLastLine: () => void,
): Promise<string | undefined> {
  const own = ownLines(mark);
  try {
    for await (const { stream, bytes } of output) {
      log.append(stream, stream === "stdout" ? own.pass(bytes) : bytes);
      if (own.hasLine()) onLastLine();
    }
  } catch {
    // The engine is asked for the outcome.
  }
  const { bytes, line } = own.end();
  log.append("stdout", bytes);
  return line;
}

/**
 * A group without processes at one moment has none later, so a check while the last output is in transit is as good as
 * one at the end.
 */
async function hasNone(container: WorkspaceContainer, group: number): Promise<boolean> {
  const all = await containerProcesses(container).catch(() => undefined);
  return Array.isArray(all) && all.every((process) => process.group !== group);
}

/**
 * The wrapper's last line shows that the wrapper outlived the command, and the container outlived the wrapper. What was
 * done to end the tree is reported separately.
 */
function mayBeContainersEnd(
  exit: ExecEnd | { error: unknown },
  line: string | undefined,
  { end, diagnostics }: TreeEnd,
): boolean {
  if (diagnostics.length > 0) return false;
  if ("error" in exit) return statusOf(exit.error) === 404;
  return exit.exitCode === KILLED && (line === undefined || isGone(end));
}

function isGone(end: TreeEnd["end"]): end is "stopped" | "removed" {
  return end === "stopped" || end === "removed";
}

/** The end of a container ends its command; in any other case the outcome is unknown. */
function exitCodeWithout(
  error: unknown,
  { end }: TreeEnd,
  fate: ContainerFate | undefined,
): ExecEnd["exitCode"] {
  if (end === "removed" || fate?.became === "removed" || fate?.became === "stopped") return KILLED;
  throw lost(error, end);
}

function lost(cause: unknown, end: TreeEnd["end"]): SkillError {
  const known = statusOf(cause) === 404 ? "the engine no longer knows the command" : reasonOf(cause);
  return endUnknown(known, end, cause);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}
