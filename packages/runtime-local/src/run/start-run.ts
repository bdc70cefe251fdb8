import { join } from "node:path";
import type { CallOptions, Diagnostic } from "@skillwright/core";
import {
  checkAborted,
  checkCommand,
  commandEnvironment,
  pythonFallbackDiagnostics,
  type RunCommand,
  type RunHandle,
  secretMasking,
  WORKSPACE_LAYOUT,
} from "@skillwright/core/adapter";
import { hostPath, resolveDirectory } from "../files/resolve-directory.js";
import type { IsolationInForce } from "../isolation/isolation-in-force.js";
import type { SkillCopies } from "../isolation/skill-copies.js";
import { diskWatch, type UnmeasuredTime } from "../limits/disk-watch.js";
import { fileLimitReached } from "../limits/file-limit.js";
import { type LimitMeans, type LimitPlan, planLimits } from "../limits/plan-limits.js";
import type { WorkspacePaths } from "../storage/workspace-paths.js";
import { type LocalWorkspaceRecord, readRecord } from "../storage/workspace-record.js";
import { placeIn } from "../workspace/place-in.js";
import { checkNetwork } from "./check-network.js";
import type { Launch, LaunchRequest } from "./launch.js";
import { launchByBubblewrap } from "./launch-by-bubblewrap.js";
import { launchInGroup } from "./launch-in-group.js";
import { launchPlain } from "./launch-plain.js";
import { launchSandboxed } from "./launch-sandboxed.js";
import { endRun, type LiveRuns } from "./live-runs.js";
import type { OutputPipes } from "./output-pipes.js";
import { type RunCopies, runCopies } from "./run-copies.js";
import { checkLayout, checkSkills, ensureDirectory, workspaceMounts } from "./run-directories.js";
import { runHandle } from "./run-handle.js";

/** How commands are started; the same for all workspaces of a runtime. */
export interface RunMeans {
  readonly inForce: IsolationInForce;
  readonly limits: LimitMeans;
  readonly skillCopies: SkillCopies;
  readonly pipes: OutputPipes;
  readonly live: LiveRuns;
}

/** The workspace a command runs in. */
export interface RunPlace {
  readonly id: string;
  /** Absolute path, as commands see it. */
  readonly root: string;
  readonly paths: WorkspacePaths;
  readonly unmeasured: UnmeasuredTime;
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
    const launch = await start(request, means);
    const { isolation } = means.inForce;
    const isThere = () => readRecord(place.paths.directory) !== undefined;
    const told = [...diagnostics, ...masking.diagnostics];
    const watch = diskWatchOf(place, { request, launch, copies });
    const options = { startedMs, signal, isolation, diagnostics: told, masking, watch, reachedBy, isThere };
    const handle = withCopies(runHandle(launch, command, options), copies);
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

function launchRequest(
  { root, paths, record: currentRecord }: RunPlace,
  command: RunCommand,
  { means, copies }: { means: RunMeans; copies: RunCopies | undefined },
): { request: LaunchRequest; diagnostics: readonly Diagnostic[] } {
  const { inForce, limits: limitMeans } = means;
  const record = currentRecord();
  const { sandbox, shell, path, pythonFallback } = inForce;
  const lastPath = pythonFallback === undefined ? [] : [pythonFallback];
  const owner = sandbox?.credentials;
  const tmp = sandbox ? "/tmp" : paths.tmp;
  const language = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  const env = commandEnvironment(command, { root, tmp, path, lastPath, language });
  const limits = planLimits(command, limitMeans);
  const network = checkNetwork(command, sandbox !== undefined);
  checkLayout(paths, owner);
  if (sandbox) checkSkills(paths, record);
  const directory = resolveDirectory(command.cwd, { root, locate: (parts) => placeIn(paths, record, parts) });
  const runDirectory = `${WORKSPACE_LAYOUT.runs}/${command.runId}`;
  ensureDirectory(join(paths.tree, runDirectory), runDirectory, owner);
  const request: LaunchRequest = {
    argv: [shell.program, ...shell.arguments, command.command],
    env,
    cwd: sandbox ? join(root, command.cwd) : hostPath(directory),
    input: command.interactive === true || command.stdin !== undefined,
    network: command.network === true,
    timeoutMs: command.timeoutMs,
    mounts: workspaceMounts(root, paths, { record, copies, skillCopies: means.skillCopies }),
    limits,
  };
  const python = pythonFallback === undefined ? [] : pythonFallbackDiagnostics(command);
  const told = [...notIsolated(inForce), ...shell.diagnostics, ...limits.diagnostics, ...network];
  return { request, diagnostics: [...told, ...python] };
}

async function start(request: LaunchRequest, { inForce, limits, pipes }: RunMeans): Promise<Launch> {
  const { sandbox, supervisor, prlimit } = inForce;
  if (supervisor === undefined)
    return sandbox
      ? await launchByBubblewrap(request, { sandbox, pipes })
      : await launchInGroup(request, { prlimit, pipes });
  if (!sandbox) return await launchPlain(request, { supervisor, pipes });
  return await launchSandboxed(request, { sandbox, supervisor, groups: limits.groups, pipes });
}

function diskWatchOf(
  { paths, unmeasured }: RunPlace,
  { request, launch, copies }: { request: LaunchRequest; launch: Launch; copies: RunCopies | undefined },
) {
  const { watched, processes, isLenient, watchesDefaults } = request.limits;
  const { inside } = launch;
  if (Object.keys(watched).length === 0) return undefined;
  const directories = writable(paths, copies);
  return (onExceeded: () => void) =>
    diskWatch({
      directories,
      unmeasured,
      limits: watched,
      processes,
      isLenient,
      watchesDefaults,
      inside,
      onExceeded,
    });
}

function fileLimitOf({ paths }: RunPlace, { file }: LimitPlan, copies: RunCopies | undefined) {
  const place = { directories: writable(paths, copies), startedAt: Date.now() };
  return file && ((exitCode: number) => fileLimitReached(exitCode, file, place));
}

function writable({ tree, tmp }: WorkspacePaths, copies: RunCopies | undefined): readonly string[] {
  return copies ? [tree, tmp, copies.directory] : [tree, tmp];
}

function notIsolated({ isolation }: IsolationInForce): readonly Diagnostic[] {
  if (isolation.level !== "none") return [];
  return [
    {
      code: "isolation.none",
      severity: "warning",
      message: `The command was not isolated and had all permissions of this user: ${isolation.by}.`,
      hint: "Run only commands that you would run yourself, or use a sandbox or a container.",
    },
  ];
}
