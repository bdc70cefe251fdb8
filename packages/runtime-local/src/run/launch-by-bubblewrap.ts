import { basename } from "node:path";
import { setTimeout } from "node:timers/promises";
import { outcomeUnknown, type RunEnd, systemCallFilter, treeNotCertain } from "@skillwright/supervisor";
import { isRunning, type ProcessIdentity, signalProcess } from "../host/process-identity.js";
import { TOOL_ENVIRONMENT } from "../host/run-tool.js";
import { bubblewrapArguments } from "../isolation/bubblewrap-arguments.js";
import type { Sandbox } from "../isolation/sandbox.js";
import { limitedByPrlimit } from "../supervisor/inside-command.js";
import { type BubblewrapStatus, bubblewrapStatus } from "./bubblewrap-status.js";
import type { Launch, LaunchRequest } from "./launch.js";
import { type SpawnedCommand, type SpawnMeans, spawnCommand } from "./spawn-command.js";
import { stopping } from "./stopping.js";
import { untilRead } from "./until-read.js";

const STATUS_DESCRIPTOR = 3;
const OPTIONS_DESCRIPTOR = 4;
const FILTER_DESCRIPTOR = 5;
const KILLED = 137;

/** Starts a command in a sandbox without a supervisor: bubblewrap starts it, and this process ends it. */
export async function launchByBubblewrap(
  request: LaunchRequest,
  { sandbox, ...means }: SpawnMeans & { sandbox: Sandbox },
): Promise<Launch> {
  const { argv, limits, input, env, cwd, network } = request;
  const inside = limitedByPrlimit(sandbox.prlimit, { argv, each: limits.each });
  const command = [sandbox.program, "--args", String(OPTIONS_DESCRIPTOR), "--", ...inside];
  const options = { cwd: "/", env: TOOL_ENVIRONMENT, input, detached: true, ...sandbox.credentials };
  const filter = systemCallFilter({ network });
  const more = ["pipe", "pipe", ...(filter ? (["pipe"] as const) : [])] as const;
  const spawned = await spawnCommand(command, means, { ...options, more });
  const { child, pid } = spawned;
  const status = bubblewrapStatus(child.stdio[STATUS_DESCRIPTOR], { pid, name: basename(sandbox.program) });
  const mounts = [...sandbox.mounts({ network }), ...request.mounts];
  const descriptors = { statusDescriptor: STATUS_DESCRIPTOR, filterDescriptor: filter && FILTER_DESCRIPTOR };
  const process = { mounts, cwd, env, network, supervised: false, ...descriptors };
  give(child.stdio[OPTIONS_DESCRIPTOR], bubblewrapArguments(sandbox.version, process));
  if (filter) give(child.stdio.at(FILTER_DESCRIPTOR), filter);

  /** A launcher that is killed before it reported its first process would leave a child that waits for it forever. */
  async function end(): Promise<void> {
    const first = await status.firstProcess;
    if (!first || !signalProcess(first, "SIGKILL")) child.kill("SIGKILL");
  }

  const stop = stopping(request.timeoutMs, () => void end());
  return {
    pid,
    leadsGroup: false,
    inside: async () => (await status.firstProcess)?.pid,
    input: spawned.input,
    signal: async (name) => {
      const first = await status.firstProcess;
      if (first) signalProcess(first, name, { group: true });
    },
    kill: () => stop.request(),
    ended: endOf(spawned, status, stop.why).finally(stop.clear),
  };
}

function give(stream: SpawnedCommand["child"]["stdio"][number] | undefined, bytes: Uint8Array): void {
  if (!stream || !("end" in stream)) return;
  // A launcher that fails before it has read everything reports the reason on its standard error.
  stream.on("error", () => undefined);
  stream.end(bytes);
}

async function endOf(
  { exited, finish }: SpawnedCommand,
  status: BubblewrapStatus,
  why: () => "time" | "request" | undefined,
): Promise<RunEnd> {
  const launcherCode = await exited;
  await untilRead();
  const first = await Promise.race([status.firstProcess, undefined]);
  // A command can make the launcher end before the sandbox does.
  if (first) await killed(first);
  await finish();
  const exitCode = status.exitCode();
  const treeEnded = first !== undefined || launcherCode !== KILLED;
  const tree = { treeEnded, diagnostics: treeEnded ? [] : [treeNotCertain] };
  const stopped = why();
  if (exitCode !== undefined && !(stopped && exitCode === KILLED))
    return { ...tree, exitCode, endedBy: "itself" };
  if (stopped) return { ...tree, exitCode: KILLED, endedBy: stopped };
  const outside = { ...tree, exitCode: KILLED, endedBy: "outside" } as const;
  if (launcherCode !== KILLED) return { ...outside, notStarted: "bubblewrap could not set up its sandbox" };
  return { ...outside, diagnostics: [...tree.diagnostics, outcomeUnknown(treeEnded)] };
}

/** The first process becomes a zombie only after the kernel has ended all others of its namespace. */
async function killed(first: ProcessIdentity): Promise<void> {
  while (isRunning(first)) {
    signalProcess(first, "SIGKILL");
    await setTimeout(1);
  }
}
