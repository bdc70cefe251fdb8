import type { CallOptions } from "@skillwright/core";
import {
  checkAborted,
  checkCommand,
  type RunCommand,
  type RunHandle,
  secretMasking,
} from "@skillwright/core/adapter";
import { outputLog } from "@skillwright/supervisor";
import type { IsolationInForce } from "../isolation/isolation-in-force.js";
import type { SkillCopies } from "../isolation/skill-copies.js";
import type { UnmeasuredTime, WatchedRuns } from "../limits/disk-watch.js";
import type { LimitMeans } from "../limits/plan-limits.js";
import type { OwnServer } from "../served/own-server.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import { type LocalWorkspaceRecord, readRecord } from "../storage/workspace-record.js";
import type { Launch, LaunchRequest, OnOutput } from "./launch.js";
import { launchByBubblewrap } from "./launch-by-bubblewrap.js";
import { launchInGroup } from "./launch-in-group.js";
import { launchPlain } from "./launch-plain.js";
import { launchRequest } from "./launch-request.js";
import { launchSandboxed } from "./launch-sandboxed.js";
import { diskWatchOf, fileLimitOf } from "./limit-watches.js";
import { endRun, type LiveRuns } from "./live-runs.js";
import type { OutputPipes } from "./output-pipes.js";
import { type RunCopies, runCopies } from "./run-copies.js";
import { checkLayout, checkSkills } from "./run-directories.js";
import { runHandle } from "./run-handle.js";

/** How commands are started; the same for all workspaces of a runtime. */
export interface RunMeans {
  readonly inForce: IsolationInForce;
  readonly limits: LimitMeans;
  readonly skillCopies: SkillCopies;
  /** Starts runs, where there is a supervisor. */
  readonly server: OwnServer | undefined;
  /** The pipes for commands that this process starts itself, where there is no supervisor. */
  readonly pipes: OutputPipes;
  readonly live: LiveRuns;
  readonly watched: WatchedRuns;
  /** How long a run with a key goes on when no process renews its lease. */
  readonly leaseMs: number;
  /** Starts of runs with a key that are in progress in this process. */
  readonly starting: Map<string, Promise<RunHandle>>;
  /** Aborted when the runtime is closed. */
  readonly closed: AbortSignal;
}

/** The workspace a command runs in. */
export interface RunPlace {
  readonly id: string;
  /** Absolute path, as commands see it. */
  readonly root: string;
  readonly paths: WorkspacePaths;
  readonly unmeasured: UnmeasuredTime;
  readonly watched: WatchedRuns;
  /** @throws SkillError `WORKSPACE_NOT_FOUND`, `CLOSED`. */
  readonly record: () => LocalWorkspaceRecord;
}

/** Validates everything first. Once the command runs, all further problems are in its result. */
export async function startRun(
  place: RunPlace,
  command: RunCommand,
  { means, signal }: CallOptions & { means: RunMeans },
): Promise<RunHandle> {
  checkAborted(signal);
  checkCommand(command);
  const masking = secretMasking(command.env);
  const claim = means.live.claim(place.id, command.runId);
  let copies: RunCopies | undefined;
  try {
    copies = await copiesOf(place, command, { means, signal });
    const { request, diagnostics } = launchRequest(place, command, { means, copies });
    const startedMs = performance.now();
    const reachedBy = fileLimitOf(place, request.limits, copies);
    const { isolation } = means.inForce;
    const isThere = () => readRecord(place.paths.directory) !== undefined;
    const told = [...diagnostics, ...masking.diagnostics];
    const log = outputLog(command.maxOutputBytes, masking);
    const launch = await start(request, { means, onOutput: log.append });
    const handle = await orEnded(launch, () => {
      const watch = diskWatchOf(place, { request, inside: launch.inside, copies });
      const end = { watch, reachedBy, isThere };
      const options = { startedMs, signal, isolation, diagnostics: told, masking, log, ...end };
      return withCopies(runHandle(launch, command, options), copies);
    });
    claim.started(place.paths.live, launch, handle);
    await endIfGone(place, handle);
    return handle;
  } catch (error) {
    claim.release();
    await copies?.remove();
    throw masking.error(error);
  }
}

async function copiesOf(
  { paths, record }: RunPlace,
  { runId }: RunCommand,
  { means, signal }: CallOptions & { means: RunMeans },
): Promise<RunCopies | undefined> {
  if (means.skillCopies !== "run") return undefined;
  const current = record();
  const owner = means.inForce.sandbox?.credentials;
  checkLayout(paths, owner);
  checkSkills(paths, current);
  return await runCopies(paths, runId, { signal, record: current, owner });
}

/** A command that was started, but whose caller gets an error, is ended: nobody else would end it. */
async function orEnded(launch: Launch, handled: () => RunHandle): Promise<RunHandle> {
  try {
    return handled();
  } catch (error) {
    launch.kill();
    await launch.ended;
    throw error;
  }
}

/** The result is available when the copies are removed. */
function withCopies(handle: RunHandle, copies: RunCopies | undefined): RunHandle {
  if (!copies) return handle;
  const result = handle.result.finally(copies.remove);
  // The caller may not have started to wait for it yet.
  result.catch(() => undefined);
  return { ...handle, result };
}

/** Closing the runtime or destroying the workspace during the start ended only the runs that were started before. */
async function endIfGone({ record }: RunPlace, handle: RunHandle): Promise<void> {
  try {
    record();
  } catch (error) {
    await endRun(handle);
    throw error;
  }
}

async function start(
  request: LaunchRequest,
  { means, onOutput }: { readonly means: RunMeans; readonly onOutput: OnOutput },
): Promise<Launch> {
  const { inForce, limits, pipes, server } = means;
  const { sandbox, prlimit } = inForce;
  if (!server)
    return sandbox
      ? await launchByBubblewrap(request, { sandbox, pipes, onOutput })
      : await launchInGroup(request, { prlimit, pipes, onOutput });
  if (!sandbox) return await launchPlain(request, { server, onOutput });
  return await launchSandboxed(request, { sandbox, server, groups: limits.groups, onOutput });
}
