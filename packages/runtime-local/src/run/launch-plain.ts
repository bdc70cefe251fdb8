import { randomBytes } from "node:crypto";
import type { Diagnostic } from "@skillwright/core";
import { endMarked } from "./end-marked.js";
import type { Launch, LaunchEnd, LaunchRequest } from "./launch.js";
import type { OutputPipes } from "./output-pipes.js";
import type { RunGroup, RunGroups } from "./run-groups.js";
import { type SpawnedCommand, spawnCommand } from "./spawn-command.js";

/** Names the run in the environment of everything it starts, so that what left its process group can still be found. */
const MARKER = "SKILLWRIGHT_RUN";

/** Starts a command with all of this user's rights, in a process group and, where there are any, a control group of its own. */
export async function launchPlain(
  request: LaunchRequest,
  { pipes, groups }: { pipes: OutputPipes; groups: RunGroups | undefined },
): Promise<Launch> {
  const mark = randomBytes(16).toString("hex");
  const group = groups?.open();
  const spawned = await spawnMarked(request, pipes, mark, group);
  const { pid, stdin, stdout, stderr } = spawned;

  async function end(): Promise<LaunchEnd> {
    const exitCode = await spawned.exited;
    signalGroup(pid, "SIGKILL");
    const treeEnded = (await group?.end()) ?? false;
    // Also of a run with a control group: the engines of containers move what they start into groups of their own.
    await endMarked(`${MARKER}=${mark}`, pid);
    return { exitCode, treeEnded, diagnostics: treeEnded ? [] : [treeNotCertain()] };
  }

  return {
    pid,
    group: group?.name,
    inside: async () => undefined,
    stdin,
    stdout,
    stderr,
    signal: async (name) => signalGroup(pid, name),
    kill: () => {
      signalGroup(pid, "SIGKILL");
      // A command that froze its own group does not end by a signal alone.
      void group?.end();
    },
    ended: end(),
  };
}

async function spawnMarked(
  { argv, limits, cwd, input, env }: LaunchRequest,
  pipes: OutputPipes,
  mark: string,
  group: RunGroup | undefined,
): Promise<SpawnedCommand> {
  const [program = argv[0], ...args] = [...limits.prefix, ...argv];
  const marked = { ...env, [MARKER]: mark };
  const options = { cwd, env: marked, input, detached: true, around: group?.start };
  try {
    return await spawnCommand([program, ...args], pipes, options);
  } catch (error) {
    await group?.end();
    throw error;
  }
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // The group is empty.
  }
}

function treeNotCertain(): Diagnostic {
  return {
    code: "run.tree-not-certain",
    severity: "warning",
    message:
      "The command's process group was ended, and what else could be found of it. Without isolation a process that hides " +
      "may have stayed.",
    hint: "Run commands in a sandbox, where everything ends with the run.",
  };
}
