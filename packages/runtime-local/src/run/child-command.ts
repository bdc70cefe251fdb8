import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { SkillError } from "@skillwright/core";
import { type RunEnd, treeNotCertain } from "@skillwright/supervisor";
import { limitedByPrlimit } from "../supervisor/inside-command.js";
import { writeInput } from "./command-input.js";
import type { LaunchRequest } from "./launch-request.js";
import { untilRead } from "./until-read.js";

const KILLED = 137;

/** Receives the output of a command, in order. */
export type OnOutput = (stream: "stdout" | "stderr", bytes: Uint8Array) => void;

/** A command that this process started itself. */
export interface ChildCommand {
  /** The leader of the command's process group. */
  readonly pid: number;
  /** @throws SkillError `CLOSED` when the command no longer reads, or there is no input. */
  write(bytes: Uint8Array): Promise<void>;
  endInput(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Ends the process group; `ended` settles when that is done. */
  kill(): void;
  /** Settles when the command has ended and its output was taken. */
  readonly ended: Promise<RunEnd>;
}

/**
 * Starts a command with all rights of this user, in its own process group, with the pipes of Node. Ending it ends only that
 * group. If this process stalls, the run ends late.
 * @throws SkillError `BACKEND_FAILED` when the system cannot start it.
 */
export async function childCommand(
  { argv, limits, cwd, env, input, timeoutMs }: LaunchRequest,
  { prlimit, onOutput }: { readonly prlimit: string | undefined; readonly onOutput: OnOutput },
): Promise<ChildCommand> {
  const [program = "", ...args] = limitedByPrlimit(prlimit, { argv, each: limits.each });
  const child = spawn(program, args, {
    cwd,
    env,
    detached: true,
    stdio: [input ? "pipe" : "ignore", "pipe", "pipe"],
  });
  const exited = exitOf(child);
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined) throw SkillError.from(await failureOf(child), `Starting ${program}`);
  const signal = (name: NodeJS.Signals) => signalGroup(pid, name);
  // A command may end without reading its input; the pending write reports this.
  stdin?.on("error", () => undefined);
  stdout?.on("data", (bytes: Buffer) => onOutput("stdout", bytes));
  stderr?.on("data", (bytes: Buffer) => onOutput("stderr", bytes));
  const drained = Promise.all(
    [stdout, stderr].map((stream) => new Promise((end) => stream?.once("close", end))),
  );
  let why: "time" | "request" | undefined;
  const stop = (reason: "time" | "request") => {
    why ??= reason;
    signal("SIGKILL");
  };
  const timer = setTimeout(stop, timeoutMs, "time");

  async function end(): Promise<RunEnd> {
    const exitCode = await exited;
    clearTimeout(timer);
    signal("SIGKILL");
    stdin?.destroy();
    // A service that the command contacted may keep the pipes open. Everything the run wrote is in them by now.
    await Promise.race([drained, untilRead()]);
    stdout?.destroy();
    stderr?.destroy();
    const endedBy = exitCode === KILLED ? why : undefined;
    return { treeEnded: false, diagnostics: [treeNotCertain], exitCode, endedBy: endedBy ?? "itself" };
  }

  return {
    pid,
    write: (bytes) => writeInput(stdin, bytes),
    endInput: async () => void stdin?.end(),
    signal,
    kill: () => stop("request"),
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

async function failureOf(child: ChildProcess): Promise<Error> {
  return await new Promise((resolve) => child.once("error", resolve));
}

/** The exit code as in shells. */
function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 9)));
    child.on("error", () => undefined);
  });
}
