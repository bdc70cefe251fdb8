import { constants } from "node:os";
import {
  endOf,
  isKnownEnd,
  type RunEnd,
  type RunReport,
  readReport,
  type StreamedCommand,
  timeLimit,
} from "@skillwright/supervisor";
import { processIdentity } from "../host/process-identity.js";
import { keepAwake } from "../served/keep-awake.js";
import type { OwnServer } from "../served/own-server.js";
import type { Launch, OnOutput } from "./launch.js";
import { resumingSupervisor } from "./resume-supervisor.js";

export const REPORT_DESCRIPTOR = 3;
/** The descriptor of the child from which it reads bytes intended for it alone. */
export const CHILD_OPTIONS_DESCRIPTOR = 5;
const CONTROL_DESCRIPTOR = 4;

export interface SupervisedCommand {
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

export interface ServedMeans {
  readonly server: OwnServer;
  readonly onOutput: OnOutput;
}

/**
 * Starts a program through a supervisor, which is its parent and ends it, with every descendant, at the time limit or
 * when this process ends. The supervisor's report is the only source about the run, up to the report's end.
 */
export async function launchSupervised(
  { options, argv, cwd, env, input, timeoutMs, childOptions }: SupervisedCommand,
  { server, onOutput }: ServedMeans,
): Promise<Omit<Launch, "inside"> & { report(): RunReport }> {
  let text = "";
  let speak: () => void = () => undefined;
  const spoken = new Promise<void>((resolve) => {
    speak = resolve;
  });
  const timeMs = timeLimit(timeoutMs);
  const command = await server.start({
    arguments: [
      ...["run", "--report", String(REPORT_DESCRIPTOR), "--control", String(CONTROL_DESCRIPTOR)],
      ...["--time", String(timeMs), "--cwd", cwd, ...options, "--", ...argv],
    ],
    variables: env,
    inputs: [...(input ? [0 as const] : []), CONTROL_DESCRIPTOR, CHILD_OPTIONS_DESCRIPTOR],
    onBytes: (descriptor, bytes) => {
      if (descriptor !== REPORT_DESCRIPTOR) return onOutput(descriptor === 1 ? "stdout" : "stderr", bytes);
      text += Buffer.from(bytes).toString("latin1");
      if (readReport(text).supervisor !== undefined) speak();
    },
  });
  giveAll(command, CHILD_OPTIONS_DESCRIPTOR, childOptions);
  await Promise.race([spoken, command.ended]);
  const { supervisor: pid } = readReport(text);
  const identity = pid === undefined ? undefined : processIdentity(pid);
  let asked = false;
  // Once resumed, the supervisor notices by itself that the time is over.
  const awake = keepAwake(resumingSupervisor(() => identity));
  const timeUp = setTimeout(awake.on, timeMs);

  async function end(): Promise<RunEnd> {
    const known = await command.ended;
    clearTimeout(timeUp);
    awake.off();
    const report = readReport(text);
    if (known) return endOf(report, asked);
    return endOf({ ...report, gone: isKnownEnd(report, false), spoke: true }, asked);
  }

  function tell(line: string): void {
    // An ended supervisor accepts no more lines; the end of the report contains the rest.
    command.write(CONTROL_DESCRIPTOR, Buffer.from(`${line}\n`)).catch(() => undefined);
  }

  return {
    pid,
    leadsGroup: false,
    report: () => readReport(text),
    input: {
      write: (bytes) => command.write(0, bytes),
      end: async () => command.end(0),
      close: () => undefined,
    },
    signal: async (name) => tell(`signal ${constants.signals[name]}`),
    kill: () => {
      asked = true;
      tell("end");
      awake.on();
    },
    ended: end(),
  };
}

/** Writes the bytes and closes the descriptor. A program that fails before it has read everything tells the reason. */
export function giveAll(
  command: StreamedCommand,
  descriptor: 4 | 5,
  bytes: Uint8Array = new Uint8Array(),
): void {
  command.write(descriptor, bytes).catch(() => undefined);
  command.end(descriptor);
}
