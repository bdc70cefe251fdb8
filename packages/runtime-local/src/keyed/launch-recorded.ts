import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { SkillError } from "@skillwright/core";
import { type RunReport, readReport } from "@skillwright/supervisor";
import {
  CHILD_OPTIONS_DESCRIPTOR,
  HOST_DESCRIPTOR,
  type SupervisedCommand,
} from "../run/launch-supervised.js";
import { noteSupervisor } from "./control-pipe.js";
import { directoryChanges } from "./directory-changes.js";
import { CLAIM } from "./key-place.js";

/** Behind the descriptor that the supervisor gives to the one inside. */
const MASK_DESCRIPTOR = 6;

export interface RecordedCommand extends SupervisedCommand {
  /** Directory of the attempt; standard input is its file `input`, if there is one. */
  readonly directory: string;
  readonly leaseMs: number;
  readonly maxOutputBytes: number;
  /** Byte strings that must not be in the recorded output. */
  readonly patterns: readonly Uint8Array[];
}

export interface RecordedLaunch {
  /** What the supervisor reported first: the child, or why it started none. */
  readonly report: RunReport;
  /** Ends the run, wherever its directory is by now. */
  end(): void;
}

/**
 * Starts a supervisor that records its run in the directory, and waits for its first report. From then on the run needs
 * this process no longer.
 * @throws SkillError `BACKEND_FAILED` when the system cannot start it.
 */
export async function launchRecorded(command: RecordedCommand): Promise<RecordedLaunch> {
  const { supervisor, directory, cwd, env, input, patterns, childOptions } = command;
  const files = [
    input ? openSync(`${directory}/input`, "r") : undefined,
    openSync(`${directory}/report`, "a", 0o600),
  ];
  const [stdin, report] = files;
  const pipe = (isNeeded: boolean) => (isNeeded ? ("pipe" as const) : ("ignore" as const));
  const more = [pipe(childOptions !== undefined), "ignore" as const, pipe(patterns.length > 0)];
  const stdio: StdioOptions = [stdin ?? "ignore", "ignore", "ignore", report, ...more];
  const changes = directoryChanges(directory);
  try {
    const child: ChildProcess = spawn(supervisor, argumentsOf(command), { cwd, env, detached: true, stdio });
    const ended = endOf(child);
    if (child.pid === undefined) throw await ended;
    try {
      noteSupervisor(directory, child.pid);
      if (childOptions) give(child.stdio[CHILD_OPTIONS_DESCRIPTOR], childOptions);
      if (patterns.length > 0) give(child.stdio.at(MASK_DESCRIPTOR), packed(patterns));
      const first = await firstReport(directory, { ended, changes });
      child.unref();
      return { report: first, end: () => void child.kill("SIGTERM") };
    } catch (error) {
      child.kill("SIGTERM");
      await ended;
      throw error;
    }
  } catch (error) {
    throw SkillError.from(error, `Starting ${supervisor}`);
  } finally {
    changes.close();
    for (const file of files) if (file !== undefined) closeSync(file);
  }
}

function argumentsOf(command: RecordedCommand): readonly string[] {
  const { directory, leaseMs, maxOutputBytes, timeoutMs, patterns, childOptions, options, argv } = command;
  return [
    "run",
    ...["--report", String(HOST_DESCRIPTOR), "--record", directory, "--claim", CLAIM],
    ...["--lease", String(leaseMs), "--output-bytes", String(maxOutputBytes)],
    ...["--time", String(Math.ceil(timeoutMs))],
    ...(childOptions ? ["--whole", String(CHILD_OPTIONS_DESCRIPTOR)] : []),
    ...(patterns.length > 0 ? ["--mask", String(MASK_DESCRIPTOR)] : []),
    ...options,
    "--",
    ...argv,
  ];
}

/** Settles with the error of a process that could not be started. */
function endOf(child: ChildProcess): Promise<Error | undefined> {
  return new Promise((resolve) => {
    child.once("error", resolve);
    child.once("exit", () => resolve(undefined));
  });
}

async function firstReport(
  directory: string,
  { ended, changes }: { ended: Promise<unknown>; changes: ReturnType<typeof directoryChanges> },
): Promise<RunReport> {
  let over = false;
  void ended.then(() => {
    over = true;
    changes.close();
  });
  for (;;) {
    const isLast = over;
    const report = readReport(readFileSync(`${directory}/report`, "utf8"));
    if (isLast || report.child !== undefined || report.failed) return report;
    await changes.next();
  }
}

function give(stream: ChildProcess["stdio"][number] | undefined, bytes: Uint8Array): void {
  const pipe = stream as Writable;
  // A supervisor that fails before it has read everything starts nothing.
  pipe.on("error", () => undefined);
  pipe.write(number(bytes.byteLength, 8));
  pipe.end(bytes);
}

function packed(patterns: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(patterns.flatMap((pattern) => [number(pattern.byteLength, 4), pattern]));
}

/** The lowest byte first. */
function number(value: number, bytes: 4 | 8): Uint8Array {
  const written = Buffer.alloc(bytes);
  written.writeUIntLE(value, 0, Math.min(bytes, 6));
  return written;
}
