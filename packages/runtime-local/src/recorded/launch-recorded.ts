import { readFileSync } from "node:fs";
import { SkillError } from "@skillwright/core";
import { type RunReport, readReport, type StreamedCommand, timeLimit } from "@skillwright/supervisor";
import { processIdentity, signalProcess } from "../host/process-identity.js";
import type { DiskUsage } from "../limits/disk-usage.js";
import {
  CHILD_OPTIONS_DESCRIPTOR,
  REPORT_DESCRIPTOR,
  type SupervisedCommand,
} from "../run/supervised-command.js";
import type { OwnServer } from "../served/own-server.js";
import { noteSupervisor } from "./control-pipe.js";
import { holdDirectory } from "./held-directory.js";
import { CLAIM } from "./record-place.js";

/** Carries the bytes to mask first. For a run that ends with its host, it then stays open until this process ends. */
const HOST_DESCRIPTOR = 4;

export interface RecordedCommand extends SupervisedCommand {
  /** Directory of the attempt. */
  readonly directory: string;
  /** How long the run continues after the last renewal of its lease. */
  readonly leaseMs: number;
  /** The supervisor feeds standard input from a FIFO; otherwise it is the file `input`, if there is one. */
  readonly hasInput: boolean;
  readonly endsWithHost: boolean;
  /** How many bytes of each stream the record keeps. */
  readonly outputBytes: number;
  /** Byte strings that must not be in the recorded output. */
  readonly patterns: readonly Uint8Array[];
  /** What it may take of the directory's file system before it is held. */
  readonly room?: (DiskUsage & { readonly directory: string }) | undefined;
}

export interface RecordedLaunch {
  /** Reads what the supervisor has reported so far, such as why it starts nothing. */
  report(): RunReport;
  /** Calls the function each time that the supervisor holds the run, also when it did before this call. */
  onHeld(hold: () => void): void;
  /** Ends the run, wherever its directory is by now; `ended` settles then. */
  end(): void;
  /** Settles when the supervisor has ended, or nobody can tell. */
  readonly ended: Promise<unknown>;
}

/**
 * Starts a supervisor that records its run in the directory, and waits until it is about to start the command, or will not.
 * From then on the run needs this process no longer.
 * @throws SkillError `BACKEND_FAILED` when the system cannot start it.
 */
export async function launchRecorded(command: RecordedCommand, server: OwnServer): Promise<RecordedLaunch> {
  const { directory, env, patterns, childOptions, endsWithHost } = command;
  // The workspace may be renamed in order to be destroyed.
  const held = holdDirectory(directory);
  let text = "";
  let answer: () => void = () => undefined;
  let heldBefore = false;
  const told = {
    text: "",
    hold: () => {
      heldBefore = true;
    },
  };
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  try {
    const run = await server.start({
      arguments: argumentsOf(command),
      variables: env,
      inputs: [HOST_DESCRIPTOR, CHILD_OPTIONS_DESCRIPTOR],
      onBytes: (descriptor, bytes) => {
        if (descriptor === 1) takeTold(told, bytes);
        if (descriptor === 1) answer();
        if (descriptor === REPORT_DESCRIPTOR) text += Buffer.from(bytes).toString("latin1");
      },
    });
    if (childOptions) give(run, CHILD_OPTIONS_DESCRIPTOR, withLength(childOptions));
    run.end(CHILD_OPTIONS_DESCRIPTOR);
    if (patterns.length > 0) give(run, HOST_DESCRIPTOR, withLength(packed(patterns)));
    if (!endsWithHost) run.end(HOST_DESCRIPTOR);
    await Promise.race([answered, run.ended]);
    const pid = /^supervisor (\d+)\n/.exec(text)?.[1];
    const identity = pid === undefined ? undefined : processIdentity(Number(pid));
    if (identity) noteSupervisor(held.path, identity);
    const end = () => void (identity && signalProcess(identity, "SIGTERM"));
    const onHeld = (hold: () => void) => {
      told.hold = hold;
      if (heldBefore) hold();
    };
    return { report: () => reportIn(directory), end, ended: run.ended, onHeld };
  } catch (error) {
    throw SkillError.from(error, "Starting the command");
  } finally {
    held.close();
  }
}

/** Complete lines of standard output. */
function takeTold(told: { text: string; readonly hold: () => void }, bytes: Uint8Array): void {
  const lines = (told.text + Buffer.from(bytes).toString("latin1")).split("\n");
  told.text = lines.pop() ?? "";
  if (lines.includes("held")) told.hold();
}

function argumentsOf(command: RecordedCommand): readonly string[] {
  const { directory, leaseMs, outputBytes, timeoutMs, patterns, childOptions, cwd, room, options, argv } =
    command;
  return [
    ...["run", "--files", "--report", String(REPORT_DESCRIPTOR), "--record", directory],
    ...["--claim", CLAIM, "--lease", String(leaseMs)],
    ...(command.endsWithHost ? ["--control", String(HOST_DESCRIPTOR)] : []),
    ...(command.hasInput ? ["--input"] : []),
    ...["--output-bytes", String(outputBytes)],
    ...["--time", String(timeLimit(timeoutMs)), "--cwd", cwd],
    ...(room ? ["--room", `${room.directory}=${room.bytes}:${room.inodes}`] : []),
    ...(childOptions ? ["--whole", String(CHILD_OPTIONS_DESCRIPTOR)] : []),
    ...(patterns.length > 0 ? ["--mask", String(HOST_DESCRIPTOR)] : []),
    ...options,
    "--",
    ...argv,
  ];
}

/** An error is ignored, because a program that fails before it has read everything reports the reason itself. */
function give(command: StreamedCommand, descriptor: 4 | 5, bytes: Uint8Array): void {
  // If the program reads no more, its outcome reports the reason.
  command.write(descriptor, bytes).catch(() => undefined);
}

/** Empty where the supervisor ended before it, or the workspace was removed meanwhile. */
function reportIn(directory: string): RunReport {
  try {
    return readReport(readFileSync(`${directory}/report`, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return readReport("");
    throw error;
  }
}

function withLength(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([number(bytes.byteLength, 8), bytes]);
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
