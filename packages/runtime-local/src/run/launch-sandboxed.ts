import { closeSync, openSync } from "node:fs";
import { basename } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { type Diagnostic, SkillError } from "@skillwright/core";
import { isRunning, type ProcessIdentity, signalProcess } from "../host/process-identity.js";
import { TOOL_ENVIRONMENT } from "../host/run-tool.js";
import { bubblewrapArguments } from "../isolation/bubblewrap-arguments.js";
import type { Sandbox } from "../isolation/sandbox.js";
import type { ControlGroup, ControlGroups } from "../limits/control-groups.js";
import type { Launch, LaunchEnd, LaunchRequest } from "./launch.js";
import { type LauncherStatus, launcherStatus } from "./launcher-status.js";
import type { OutputPipes } from "./output-pipes.js";
import type { RunGroup, RunGroups } from "./run-groups.js";
import { type SpawnedCommand, spawnCommand } from "./spawn-command.js";

const OPTIONS_DESCRIPTOR = 3;
const STATUS_DESCRIPTOR = 4;
/** Of a launcher that was ended from outside, such as by another process that destroyed the workspace. */
const KILLED = 137;
const STARTING_MS = 1000;
const ENDING_MS = 5000;

interface SandboxedLaunchMeans {
  readonly sandbox: Sandbox;
  /** By which limits are held. */
  readonly limitGroups: ControlGroups | undefined;
  /** By which a run is ended whose launcher is gone. */
  readonly runGroups: RunGroups | undefined;
  readonly pipes: OutputPipes;
}

/** Starts a command in namespaces of its own, which end with it. */
export async function launchSandboxed(
  request: LaunchRequest,
  { sandbox, limitGroups, runGroups, pipes }: SandboxedLaunchMeans,
): Promise<Launch> {
  const { group: limits } = request.limits;
  const group = Object.keys(limits).length > 0 ? limitGroups?.open(limits) : undefined;
  const runGroup = runGroups?.open();
  const spawned = await spawnInGroup(request, sandbox, pipes, { group, runGroup });
  const launcher = { pid: spawned.pid, name: basename(sandbox.program) };
  const status = launcherStatus(spawned.child.stdio[STATUS_DESCRIPTOR], launcher);
  giveOptions(spawned, request, sandbox);
  let killed = false;

  async function kill(): Promise<void> {
    killed = true;
    const first = await status.firstProcess(STARTING_MS);
    // The end of the first process is the end of all in its namespace; the launcher then reports it. Before there is
    // one, the launcher must not be killed: it would leave a child that waits for it for ever.
    if (!first || !signalProcess(first, "SIGKILL")) {
      spawned.child.kill("SIGKILL");
      void runGroup?.end();
    }
  }

  return {
    pid: spawned.pid,
    group: runGroup?.name,
    inside: async () => (await status.firstProcess(STARTING_MS))?.pid,
    stdin: spawned.stdin,
    stdout: spawned.stdout,
    stderr: spawned.stderr,
    signal: (name) => signalInside(status, name),
    kill: () => void kill(),
    ended: endOf(spawned, status, { group, runGroup }, () => killed),
  };
}

interface LaunchGroups {
  readonly group: ControlGroup | undefined;
  readonly runGroup: RunGroup | undefined;
}

/** The launcher waits for its options, so that it is in the group before it starts anything. */
async function spawnInGroup(
  request: LaunchRequest,
  sandbox: Sandbox,
  pipes: OutputPipes,
  { group, runGroup }: LaunchGroups,
): Promise<SpawnedCommand> {
  let spawned: SpawnedCommand | undefined;
  try {
    spawned = await spawnLauncher(request, sandbox, pipes, runGroup);
    await group?.add(spawned.pid);
    return spawned;
  } catch (error) {
    spawned?.child.kill("SIGKILL");
    await spawned?.exited;
    for (const stream of [spawned?.stdout, spawned?.stderr]) stream?.destroy();
    await group?.remove();
    await runGroup?.end();
    throw SkillError.from(error, "Starting the command with its limits");
  }
}

async function spawnLauncher(
  { argv, limits, input }: LaunchRequest,
  { program, credentials, inherited }: Sandbox,
  pipes: OutputPipes,
  runGroup: RunGroup | undefined,
): Promise<SpawnedCommand> {
  const command = ["--args", String(OPTIONS_DESCRIPTOR), "--", ...limits.prefix, ...argv];
  const nothing = inherited.length > 0 ? openSync("/dev/null", "r+") : -1;
  try {
    const more = ["pipe" as const, "pipe" as const, ...coverInherited(inherited, nothing)];
    const options = { cwd: "/", env: TOOL_ENVIRONMENT, input, more, around: runGroup?.start, ...credentials };
    return await spawnCommand([program, ...command], pipes, options);
  } finally {
    if (nothing >= 0) closeSync(nothing);
  }
}

/** Node cannot close a descriptor in its child, but it can put another file in its place. */
function coverInherited(inherited: readonly number[], nothing: number): ("ignore" | number)[] {
  const length = Math.max(0, (inherited.at(-1) ?? 0) - STATUS_DESCRIPTOR);
  return Array.from({ length }, (_, index) =>
    inherited.includes(index + STATUS_DESCRIPTOR + 1) ? nothing : "ignore",
  );
}

function giveOptions({ child }: SpawnedCommand, request: LaunchRequest, sandbox: Sandbox): void {
  const { env, cwd, network } = request;
  const mounts = [...sandbox.mounts({ network }), ...request.mounts];
  const process = { mounts, cwd, env, network, statusDescriptor: STATUS_DESCRIPTOR };
  const options = child.stdio[OPTIONS_DESCRIPTOR];
  if (!options || !("end" in options)) return;
  // A launcher that fails before it has read all says why on its standard error.
  options.on("error", () => undefined);
  options.end(bubblewrapArguments(sandbox.version, process));
}

/** To the command's process group; the first process in it, which is the launcher's, ignores all but SIGKILL. */
async function signalInside(status: LauncherStatus, name: NodeJS.Signals): Promise<void> {
  const first = await status.firstProcess(STARTING_MS);
  const deadline = performance.now() + STARTING_MS;
  // The group comes into being a moment after the process.
  while (first && isRunning(first) && performance.now() < deadline) {
    if (signalProcess(first, name, { group: true })) return;
    await setTimeout(2);
  }
}

async function endOf(
  spawned: SpawnedCommand,
  status: LauncherStatus,
  { group, runGroup }: LaunchGroups,
  wasKilled: () => boolean,
): Promise<LaunchEnd> {
  const launcherCode = await spawned.exited;
  const { exitCode, begun, firstProcess } = await status.final();
  // The launcher ends as soon as the command has, a moment before the kernel has ended the rest. One that was killed
  // before it told of a first process may have left one, which is then found in the run's group.
  const seenEnded = firstProcess ? await hasEnded(firstProcess) : begun || launcherCode !== KILLED;
  const treeEnded = (await runGroup?.end()) ?? seenEnded;
  const diagnostics = [...(group?.diagnostics() ?? []), ...(treeEnded ? [] : [treeStays()])];
  await group?.remove();
  const end = { exitCode: exitCode ?? launcherCode, treeEnded, diagnostics };
  const notStarted = exitCode === undefined && !wasKilled() && launcherCode !== KILLED;
  return notStarted ? { ...end, notStarted: "bubblewrap could not set up its sandbox" } : end;
}

async function hasEnded(first: ProcessIdentity): Promise<boolean> {
  const deadline = performance.now() + ENDING_MS;
  for (let looks = 0; isRunning(first); looks++) {
    if (performance.now() > deadline) return false;
    await (looks < 20 ? setImmediate() : setTimeout(1));
  }
  return true;
}

function treeStays(): Diagnostic {
  return {
    code: "run.tree-not-ended",
    severity: "error",
    message: `Processes of the run were still there ${ENDING_MS} ms after they were killed.`,
    hint: "They may hang in the kernel, for instance on a file system that does not answer. Do not collect outputs yet.",
  };
}
