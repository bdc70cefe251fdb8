import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { SkillError } from "@skillwright/core";
import { type InputWriter, inputWriter } from "./input-writer.js";
import type { OnOutput } from "./launch.js";
import type { OutputPipe, OutputPipes } from "./output-pipes.js";
import { untilRead } from "./until-read.js";

export interface SpawnedCommand {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly input: InputWriter;
  /** The exit code as in shells: 128 + n for signal n. */
  readonly exited: Promise<number>;
  /** Takes the rest of the output and closes the streams. Call it when the run is over. */
  finish(): Promise<void>;
}

/** The pipes of a command, and who takes what it writes. */
export interface SpawnMeans {
  readonly pipes: OutputPipes;
  readonly onOutput: OnOutput;
}

export interface SpawnCommandOptions extends Pick<SpawnOptions, "cwd" | "env" | "detached" | "uid" | "gid"> {
  readonly input: boolean;
  /** Descriptors from 3 on. */
  readonly more?: readonly "pipe"[];
}

/**
 * Starts a program with real pipes for its output. The run ends when its tree has ended, not when its pipes are closed.
 * @throws SkillError `BACKEND_FAILED` when the system cannot start it.
 */
export async function spawnCommand(
  [program = "", ...args]: readonly string[],
  { pipes, onOutput }: SpawnMeans,
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
    return { child, pid, exited, ...followed(child, [stdout, stderr], onOutput) };
  } catch (error) {
    for (const { readable } of pair) readable.destroy();
    throw SkillError.from(error, `Starting ${program}`);
  } finally {
    for (const { writeDescriptor } of pair) closeSync(writeDescriptor);
  }
}

function followed(
  child: ChildProcess,
  [stdout, stderr]: readonly (OutputPipe | undefined)[],
  onOutput: OnOutput,
): Pick<SpawnedCommand, "input" | "finish"> {
  const [out, error] = [stdout?.readable ?? child.stdout, stderr?.readable ?? child.stderr];
  if (!out || !error) throw new Error("it has no output");
  // A command may end without reading its input; the pending write reports this, so the event can be ignored.
  child.stdin?.on("error", () => undefined);
  const input = inputWriter(child.stdin ?? undefined);
  const drained = Promise.all([
    drain(out, (bytes) => onOutput("stdout", bytes)),
    drain(error, (bytes) => onOutput("stderr", bytes)),
  ]);
  return {
    input,
    finish: async () => {
      input.close();
      // A service that the command contacted may keep the pipes open. Everything the run wrote is in them by now.
      await Promise.race([drained, untilRead()]);
      out.destroy();
      error.destroy();
    },
  };
}

async function drain(stream: Readable, take: (bytes: Buffer) => void): Promise<void> {
  stream.on("data", take);
  await new Promise<void>((resolve) => {
    stream.once("close", resolve);
    stream.once("error", () => resolve());
  });
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
