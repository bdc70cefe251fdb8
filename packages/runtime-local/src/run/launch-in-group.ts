import { type RunEnd, treeNotCertain } from "@skillwright/supervisor";
import { limitedByPrlimit } from "../supervisor/inside-command.js";
import type { Launch, LaunchRequest } from "./launch.js";
import type { OutputPipes } from "./output-pipes.js";
import { spawnCommand } from "./spawn-command.js";
import { stopping } from "./stopping.js";

const KILLED = 137;

/**
 * Starts a command with all rights of this user and without a supervisor, in its own process group. Ending it ends only
 * that group.
 */
export async function launchInGroup(
  { argv, limits, cwd, env, input, timeoutMs }: LaunchRequest,
  { prlimit, pipes }: { prlimit: string | undefined; pipes: OutputPipes },
): Promise<Launch> {
  const command = limitedByPrlimit(prlimit, { argv, each: limits.each });
  const { pid, stdin, stdout, stderr, exited } = await spawnCommand(command, pipes, {
    cwd,
    env,
    input,
    detached: true,
  });
  const stop = stopping(timeoutMs, () => signalGroup(pid, "SIGKILL"));

  async function end(): Promise<RunEnd> {
    const exitCode = await exited;
    stop.clear();
    signalGroup(pid, "SIGKILL");
    const tree = { treeEnded: false, diagnostics: [treeNotCertain] };
    const why = exitCode === KILLED ? stop.why() : undefined;
    return { ...tree, exitCode, endedBy: why ?? "itself" };
  }

  return {
    pid,
    leadsGroup: true,
    inside: async () => undefined,
    stdin,
    stdout,
    stderr,
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
