import { constants } from "node:os";
import { Duplex } from "node:stream";
import { endOf, type RunEnd, type RunReport, readReport } from "@skillwright/supervisor";
import { processIdentity, signalProcess } from "../host/process-identity.js";
import type { Launch } from "./launch.js";
import type { OutputPipes } from "./output-pipes.js";
import { spawnCommand } from "./spawn-command.js";

/** A socket to the supervisor: its report is read from it, and control lines are written to it. */
export const HOST_DESCRIPTOR = 3;
/** The descriptor of the child from which it reads bytes intended for it alone. */
export const CHILD_OPTIONS_DESCRIPTOR = 4;

const LONGEST_MS = 2 ** 31 - 1;

export interface SupervisedCommand {
  /** Absolute path. */
  readonly supervisor: string;
  /** Options of `supervisor run`, in addition to those of every run. */
  readonly options: readonly string[];
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: boolean;
  readonly timeoutMs: number;
  /** Bytes for the child to read from its descriptor. */
  readonly childOptions?: Uint8Array | undefined;
}

/**
 * Starts a program through the supervisor, which is its parent and ends it, with every descendant, at the time limit or
 * when this process ends. The supervisor's report is the only source about the run, up to the report's end.
 */
export async function launchSupervised(
  { supervisor, options, argv, cwd, env, input, timeoutMs, childOptions }: SupervisedCommand,
  pipes: OutputPipes,
): Promise<Omit<Launch, "inside"> & { report(): RunReport }> {
  const host = String(HOST_DESCRIPTOR);
  const timeMs = Math.min(Math.ceil(timeoutMs), LONGEST_MS);
  const common = ["--report", host, "--control", host, "--time", String(timeMs)];
  const spawned = await spawnCommand([supervisor, "run", ...common, ...options, "--", ...argv], pipes, {
    cwd,
    env,
    input,
    // Outside the terminal's process group, whose signals are meant for the host only.
    detached: true,
    more: ["pipe", ...(childOptions ? (["pipe"] as const) : [])],
  });
  const { child, pid, stdin, stdout, stderr, exited } = spawned;
  const channel = openChannel(child.stdio[HOST_DESCRIPTOR]);
  if (childOptions) giveOptions(child.stdio[CHILD_OPTIONS_DESCRIPTOR], childOptions);
  let asked = false;
  // A command without isolation may have stopped its supervisor with a signal. Once resumed, the supervisor notices by
  // itself that the time is over.
  const waking = setTimeout(wake, timeMs);

  async function end(): Promise<RunEnd> {
    await Promise.all([channel.ended, exited]);
    clearTimeout(waking);
    return endOf(readReport(channel.text()), asked);
  }

  function wake(): void {
    const identity = processIdentity(pid);
    if (identity) signalProcess(identity, "SIGCONT");
  }

  function kill(): void {
    asked = true;
    channel.send("end");
    wake();
  }

  return {
    pid,
    leadsGroup: false,
    report: () => readReport(channel.text()),
    stdin,
    stdout,
    stderr,
    signal: async (name) => channel.send(`signal ${constants.signals[name]}`),
    kill,
    ended: end(),
  };
}

function openChannel(stream: unknown) {
  if (!(stream instanceof Duplex)) throw new Error("There is no connection to the supervisor.");
  let text = "";
  stream.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  // An ended supervisor accepts no more lines; the end of the report contains the rest.
  stream.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => stream.once("close", resolve));
  return {
    text: () => text,
    ended,
    send: (line: string) => {
      if (stream.writable) stream.write(`${line}\n`);
    },
  };
}

function giveOptions(stream: unknown, options: Uint8Array): void {
  if (!(stream instanceof Duplex)) throw new Error("The launcher cannot be given its options.");
  // A launcher that fails before it has read everything reports the reason on its standard error.
  stream.on("error", () => undefined);
  stream.end(options);
}
