import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import { SkillError } from "@skillwright/core";
import type { OutputPipe, OutputPipes } from "./output-pipes.js";

export interface SpawnedCommand {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The exit code as in shells: 128 + n for signal n. */
  readonly exited: Promise<number>;
}

export interface SpawnCommandOptions extends Pick<SpawnOptions, "cwd" | "env" | "detached" | "uid" | "gid"> {
  readonly input: boolean;
  /** Descriptors from 3 on. */
  readonly more?: readonly "pipe"[];
}

/**
 * Starts a program with real pipes for its output. Uses Node's own `spawn`: a run ends when its tree has ended, while
 * execa waits for its pipes to close or its first process to be killed.
 * @throws SkillError `BACKEND_FAILED` when the system cannot start it.
 */
export async function spawnCommand(
  [program = "", ...args]: readonly string[],
  pipes: OutputPipes,
  { input, more = [], ...options }: SpawnCommandOptions,
): Promise<SpawnedCommand> {
  const pair = await pipes.takePair();
  const [stdout, stderr] = pair;
  const output = (pipe: OutputPipe | undefined) => pipe?.writeDescriptor ?? "pipe";
  const stdio = [input ? "pipe" : "ignore", output(stdout), output(stderr), ...more] as const;
  try {
    const child = spawn(program, args, { ...options, stdio: [...stdio] });
    const exited = exitOf(child);
    const { pid } = child;
    if (pid === undefined) throw await failureOf(child);
    return { child, pid, exited, ...streamsOf(child, stdout, stderr) };
  } catch (error) {
    for (const { readable } of pair) readable.destroy();
    throw SkillError.from(error, `Starting ${program}`);
  } finally {
    for (const { writeDescriptor } of pair) closeSync(writeDescriptor);
  }
}

function streamsOf(
  child: ChildProcess,
  stdout: OutputPipe | undefined,
  stderr: OutputPipe | undefined,
): Pick<SpawnedCommand, "stdin" | "stdout" | "stderr"> {
  const [out, error] = [stdout?.readable ?? child.stdout, stderr?.readable ?? child.stderr];
  if (!out || !error) throw new Error("it has no output");
  // A command may end without reading its input; the pending write reports this, so the event can be ignored.
  child.stdin?.on("error", () => undefined);
  return { stdin: child.stdin ?? undefined, stdout: out, stderr: error };
}

async function failureOf(child: ChildProcess): Promise<Error> {
  return await new Promise((resolve) => child.once("error", resolve));
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 9)));
    child.on("error", () => undefined);
  });
}
