import { type CallOptions, type Isolation, type RunLimits, SkillError } from "@skillwright/core";
import { checkAborted, eitherSignal, type RunCommand, type RunHandle } from "@skillwright/core/adapter";
import {
  type RecordedRuns,
  type RunRecord,
  recordedRuns,
  recordingOf,
  runPlace,
} from "@skillwright/supervisor";
import { CONTAINER_LIMITS } from "../container/container-labels.js";
import { containerState } from "../container/container-state.js";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { sizedContent } from "../files/sized-content.js";
import { RECORDS } from "../stream/supervisor-place.js";
import { startHeld } from "./container-limits.js";
import type { LiveRuns } from "./live-runs.js";
import type { LimitPlan } from "./plan-limits.js";
import { prepareRun, runDirectoryOf } from "./prepare-run.js";
import { reachedLimits } from "./reached-limits.js";
import { containerEnded, treeLeft } from "./run-diagnostics.js";
import { noteText } from "./run-note.js";
import { whyNotStarted } from "./why-not-started.js";

/** The same for all workspaces of a runtime. */
export interface RunMeans {
  readonly live: LiveRuns;
  /** The isolation named in the capabilities. */
  readonly isolation: Isolation;
  /** The limits of runs that the capabilities name. */
  readonly enforced: readonly (keyof RunLimits)[];
  /** On the image's PATH, where that is known. */
  readonly programs: readonly string[];
  /** How long a run goes on when no process follows it. */
  readonly leaseMs: number;
  /** Fires when the runtime is closed. */
  readonly closed: AbortSignal;
}

type FoundCall = CallOptions & Pick<RunMeans, "closed"> & { readonly starting?: AbortSignal | undefined };

/** The link that names the attempt whose command runs, or ran. The supervisor creates it. */
const CLAIM = "run";

/** The run with that id, live or ended; `undefined` where there is none. */
export async function runOf(
  container: WorkspaceContainer,
  runId: string,
  call: FoundCall,
): Promise<RunHandle | undefined> {
  return await runsIn(container, call).found(runPlace(RECORDS, runId, CLAIM));
}

/**
 * Starts a command that the container's supervisor records, making the container ready first; or returns the run with
 * that id that is kept. Validates everything first; once the command runs, all further problems are in its result. With
 * `starting`, only that signal aborts the start, and `signal` ends the running command.
 * @throws SkillError as `RuntimeWorkspace.start`, `CONFLICT` for a run id in use, `CLOSED` when the runs were ended
 * meanwhile.
 */
export async function startRun(
  container: WorkspaceContainer,
  command: RunCommand,
  { means, signal, starting = signal }: Omit<FoundCall, "closed"> & { readonly means: RunMeans },
): Promise<RunHandle> {
  checkAborted(starting);
  const prepared = prepareRun(container, command, means);
  const { runId, stdin, maxOutputBytes, timeoutMs } = command;
  const { isKept, keptBytes, ...recording } = recordingOf(command);
  const { masking, environment, words, limits } = prepared;
  const live = means.live.starting(container.workspaceId);
  const options = { signal: eitherSignal(starting, live.signal) };
  let handle: RunHandle | undefined;
  try {
    const stream = await container.engine.streams.open(container, options);
    const record: RunRecord = {
      ...{ formatVersion: 1, runId, isKept, maxOutputBytes, keptBytes, timeoutMs, leaseMs: means.leaseMs },
      isolation: means.isolation,
      limits: limitsOf(container, limits, means),
      place: stream.startedAt,
      diagnostics: prepared.diagnostics.map(masking.diagnostic),
    };
    // A host that dies while it passes the input on must not leave a kept run with a part of it.
    await using input = isKept && stdin !== undefined ? await sizedContent(stdin, options) : undefined;
    const runs = runsIn(container, { signal, starting: options.signal, closed: means.closed });
    const request = {
      ...{ ...recording, record, words, environment, patterns: masking.patterns, input },
      note: noteText({ run: limits.container }),
    };
    const begin = async () => await runs.start(runPlace(RECORDS, runId, CLAIM), request, stream);
    const held = { own: limits.container, inTurn: live.inTurn };
    const started = await startHeld(container, held, begin, options);
    if (!("result" in started)) throw whyNotStarted(started, prepared);
    handle = started;
    if (!isKept) live.started(handle);
    if (live.signal.aborted) await handle.signal("SIGKILL");
    return handle;
  } catch (error) {
    if (live.signal.aborted && !signal?.aborted && SkillError.is(error, "ABORTED")) throw endedMeanwhile();
    throw masking.error(error);
  } finally {
    if (!handle || isKept) live.release();
  }
}

/** The stricter of what the run asks for and what its container was made with. */
function limitsOf(
  { limits: made }: WorkspaceContainer,
  { container, openFiles, fileBytes }: LimitPlan,
  { enforced }: Pick<RunMeans, "enforced">,
): RunLimits {
  const { diskBytes, inodes } = made;
  const own: RunLimits = { ...container, ...(openFiles && { openFiles }), ...(fileBytes && { fileBytes }) };
  const held = CONTAINER_LIMITS.filter((name) => enforced.includes(name));
  return {
    ...Object.fromEntries(held.map((name) => [name, Math.min(own[name] ?? made[name], made[name])])),
    ...(diskBytes !== undefined && { diskBytes }),
    ...(inodes !== undefined && { inodes }),
  };
}

function runsIn(
  container: WorkspaceContainer,
  { closed, signal, starting = signal }: FoundCall,
): RecordedRuns {
  const { engine } = container;
  const options = { signal: starting };
  return recordedRuns({
    ...{ signal, closed, far: "engine" },
    open: () => engine.streams.open(container, options),
    waiting: (answer) => engine.call("Waiting for the supervisor of a container", answer, options),
    fate: async ({ place }) => {
      const { now, startedAt } = await containerState(container);
      if (now === "stopped" || now === "removed") return containerEnded(now);
      // Another run has started it again.
      return startedAt === place ? undefined : containerEnded("stopped");
    },
    wake: async (over) => {
      try {
        await container.ready();
        await engine.call("Waiting for the end of a command", () => over);
        return undefined;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return treeLeft(`the engine could not be asked (${why})`);
      }
    },
    reached: (report, exitCode, { runId }) => reachedLimits(report, exitCode, runDirectoryOf(runId)),
  });
}

function endedMeanwhile(): SkillError {
  return new SkillError(
    "CLOSED",
    "The command was not started, because its workspace was destroyed or its runtime was closed in the meantime.",
  );
}
