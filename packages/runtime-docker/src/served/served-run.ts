import type { CallOptions } from "@skillwright/core";
import {
  type CommandEnd,
  type OutputDescriptor,
  type RunReport,
  readReport,
  type StreamedCommand,
} from "@skillwright/supervisor";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { runNote } from "../run/run-note.js";
import type { HostStream } from "./container-streams.js";
import type { PreparedRun } from "./prepare-run.js";

/** A run without a key at the supervisor of its container. */
export interface ServedRun {
  readonly command: StreamedCommand;
  /** Before the command was sent, so that no run seems shorter than its time limit. By `performance.now()`. */
  readonly startedMs: number;
  /** The report so far. */
  report(): RunReport;
  /** The supervisor's own words, where it could not begin. */
  said(): string;
  /** Writes a line to its control pipe; it may be too late. */
  tell(line: string): void;
  /** `undefined` where the connection ended first. */
  readonly ended: Promise<CommandEnd | undefined>;
}

/** A container that is paused answers nothing, and neither does one that has ended. */
export const ANSWER_MS = 50;

/**
 * Starts the command and waits until it runs, or did not begin.
 * @throws SkillError as `WorkspaceContainer.ready`, `BACKEND_FAILED`, `ABORTED`. The command is being ended then.
 */
export async function startServed(
  container: WorkspaceContainer,
  stream: HostStream,
  { words, environment, note }: PreparedRun,
  {
    hasInput,
    onOutput,
    signal,
  }: CallOptions & { hasInput: boolean; onOutput: (stream: "stdout" | "stderr", bytes: Uint8Array) => void },
): Promise<ServedRun> {
  let text = "";
  let said = "";
  let answered = () => {};
  const answer = new Promise<void>((resolve) => {
    answered = resolve;
  });

  function take(descriptor: OutputDescriptor, bytes: Uint8Array): void {
    if (descriptor === 3) {
      text += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
      if (/^(begun|failed .*|gone)\n/m.test(text)) answered();
    } else {
      if (text === "" && said.length < 500) said += Buffer.from(bytes).toString("utf8");
      onOutput(descriptor === 1 ? "stdout" : "stderr", bytes);
    }
  }

  const startedMs = performance.now();
  const command = stream.start({
    arguments: ["run", "--report", "3", "--control", "4", ...words],
    variables: environment,
    inputs: hasInput ? [0, 4] : [4],
    note: runNote({ ...note, host: stream.mark }),
    onBytes: take,
  });
  void command.ended.then(answered);
  const run: ServedRun = {
    command,
    startedMs,
    report: () => readReport(text),
    said: () => said,
    tell: (line) => void command.write(4, Buffer.from(`${line}\n`)).catch(() => undefined),
    ended: command.ended,
  };
  try {
    if (await isSettled(answer, ANSWER_MS)) return run;
    await container.ready({ signal });
    await container.engine.call("Waiting for the command to start", () => answer, { signal });
    return run;
  } catch (error) {
    command.end(4);
    throw error;
  }
}

/** True where the promise settles within the time. */
export async function isSettled(promise: Promise<unknown>, withinMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, withinMs, false);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  return await Promise.race([settled, late]).finally(() => clearTimeout(timer));
}
