import { randomBytes } from "node:crypto";
import type { Diagnostic } from "@skillwright/core";
import { endMarked } from "./end-marked.js";
import type { Launch, LaunchRequest } from "./launch.js";
import type { OutputPipes } from "./output-pipes.js";
import { spawnCommand } from "./spawn-command.js";

/** Names the run in the environment of everything it starts, so that what left its process group can still be found. */
const MARKER = "SKILLWRIGHT_RUN";

/** Starts a command with all of this user's rights, in a process group of its own. */
export async function launchPlain(request: LaunchRequest, pipes: OutputPipes): Promise<Launch> {
  const { argv, limits, cwd, input } = request;
  const mark = randomBytes(16).toString("hex");
  const [program = argv[0], ...args] = [...limits.prefix, ...argv];
  const env = { ...request.env, [MARKER]: mark };
  const spawned = await spawnCommand([program, ...args], pipes, { cwd, env, input, detached: true });
  const { pid, stdin, stdout, stderr } = spawned;

  async function end() {
    const exitCode = await spawned.exited;
    signalGroup(pid, "SIGKILL");
    await endMarked(`${MARKER}=${mark}`, pid);
    return { exitCode, treeEnded: false, diagnostics: [treeNotCertain()] };
  }

  return {
    pid,
    stdin,
    stdout,
    stderr,
    signal: async (name) => signalGroup(pid, name),
    kill: () => signalGroup(pid, "SIGKILL"),
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
