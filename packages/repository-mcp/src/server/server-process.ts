import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { SkillError } from "@skillwright/core";
import type { McpCommand } from "../mcp-repository-options.js";
import { processGuard } from "./process-guard.js";
import { serverEnvironment } from "./server-environment.js";

/** A running server. It keeps this process alive only while a request waits. */
export interface ServerProcess {
  readonly pid: number | undefined;
  /** Resolves when it has ended and its last words have arrived. */
  readonly ended: Promise<void>;
  /** True once it has ended before `end` was called. */
  hasEndedByItself(): boolean;
  /** Such as `exit code 1` or `SIGKILL`. */
  outcome(): string;
  /** The end of what it wrote to standard error. */
  lastWords(): string;
  onOutput(listener: (piece: Buffer) => void): void;
  write(text: string): Promise<void>;
  /** Ends it and its whole process group: with the end of its input, then SIGTERM, then SIGKILL. */
  end(): Promise<void>;
}

const GRACE_MS = 1000;
const WORDS_BYTES = 500;

/** @throws SkillError `BACKEND_FAILED` for a program that cannot be started. */
export async function startProcess({ command, cwd, environment = {} }: McpCommand): Promise<ServerProcess> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd,
    env: serverEnvironment(process.env, environment),
    stdio: ["pipe", "pipe", "pipe"],
    // In a process group of its own, all of which can be ended.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  let ending: Promise<void> | undefined;
  let endedByItself = false;
  const exited = new Promise<void>((resolve) =>
    child.once("exit", () => {
      endedByItself = ending === undefined;
      resolve();
    }),
  );
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let words = Buffer.alloc(0);
  child.stderr.on("data", (piece: Buffer) => {
    words = Buffer.concat([words, piece.subarray(-WORDS_BYTES)]).subarray(-WORDS_BYTES);
  });
  // It has ended then, which is reported as such.
  for (const stream of child.stdio) stream?.on("error", () => undefined);
  await spawned(child);
  const guard = processGuard(child);
  const ended = exited.then(async () => {
    killGroup(child, "SIGKILL");
    guard.release();
    // What it wrote last; a process that left the group may hold the streams open.
    await settles(closed, GRACE_MS);
  });
  for (const one of [child, ...(child.stdio as unknown as readonly Socket[])]) one?.unref();

  async function end(): Promise<void> {
    child.stdin.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await settles(exited, GRACE_MS)) break;
      killGroup(child, signal);
    }
    await ended;
    for (const stream of child.stdio) stream?.destroy();
  }

  return {
    pid: child.pid,
    ended,
    hasEndedByItself: () => endedByItself,
    outcome: () => child.signalCode ?? `exit code ${child.exitCode}`,
    lastWords: () => words.toString("utf8"),
    onOutput: (listener) => void child.stdout.on("data", listener),
    async write(text) {
      if (!child.stdin.write(text) && child.stdin.writable)
        await Promise.race([once(child.stdin, "drain"), ended]);
    },
    end: () => (ending ??= end()),
  };
}

async function spawned(child: ChildProcess): Promise<void> {
  await once(child, "spawn").catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === "ENOENT" ? "there is no such program" : (error.code ?? "it cannot be started");
    throw new SkillError(
      "BACKEND_FAILED",
      `The command of the MCP server cannot be started: ${reason}. Install the program, or correct its path and the working directory.`,
    );
  });
}

async function settles(work: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Also reaches what a leader that has ended left behind. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // Nothing of it is left.
  }
}
