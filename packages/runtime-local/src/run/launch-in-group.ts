import { type RunEnd, treeNotCertain } from "@skillwright/supervisor";
import { limitedByPrlimit } from "../supervisor/inside-command.js";
import type { Launch, LaunchRequest } from "./launch.js";
import { type SpawnMeans, spawnCommand } from "./spawn-command.js";
import { stopping } from "./stopping.js";

const KILLED = 137;

/**
 * Starts a command with all rights of this user and without a supervisor, in its own process group. Ending it ends only
 * that group.
 */
export async function launchInGroup(
  { argv, limits, cwd, env, input, timeoutMs }: LaunchRequest,
  { prlimit, ...means }: SpawnMeans & { prlimit: string | undefined },
): Promise<Launch> {
  const command = limitedByPrlimit(prlimit, { argv, each: limits.each });
  const spawned = await spawnCommand(command, means, { cwd, env, input, detached: true });
  const { pid, exited, finish } = spawned;
  const stop = stopping(timeoutMs, () => signalGroup(pid, "SIGKILL"));

  async function end(): Promise<RunEnd> {
    const exitCode = await exited;
    stop.clear();
    signalGroup(pid, "SIGKILL");
    await finish();
    const tree = { treeEnded: false, diagnostics: [treeNotCertain] };
    const why = exitCode === KILLED ? stop.why() : undefined;
    return { ...tree, exitCode, endedBy: why ?? "itself" };
  }

  return {
    pid,
    leadsGroup: true,
    inside: async () => undefined,
    input: spawned.input,
    signal: async (name) => signalGroup(pid, name),
    kill: stop.request,
    ended: end(),
  };
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // The group is empty.
  }
}
