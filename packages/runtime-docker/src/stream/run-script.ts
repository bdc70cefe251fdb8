import { type CallOptions, SkillError } from "@skillwright/core";
import { checkAborted, untilAborted } from "@skillwright/core/adapter";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { PROGRAM_PATH } from "../image/image-facts.js";
import { type CommandRequest, type ContainerCommand, startCommand } from "./start-command.js";

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_ERROR_BYTES = 16 * 1024;
/** The environment of scripts, without variables of the run or the image. */
export const SCRIPT_ENVIRONMENT = {
  PATH: PROGRAM_PATH,
  LC_ALL: "C",
  // An image may set these, and a shell would then run other code first.
  ENV: "",
  BASH_ENV: "",
};

export interface ScriptRequest {
  /** POSIX text for the image's shell. The arguments are `$1`, `$2`, ... */
  readonly script: string;
  readonly args?: readonly string[] | undefined;
  readonly as: CommandRequest["as"];
  readonly input?: Iterable<Uint8Array> | AsyncIterable<Uint8Array> | undefined;
  /** Maximum bytes of standard output; more is an error. Defaults to 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Timeout after which the script is ended. Defaults to 60 s. */
  readonly timeoutMs?: number | undefined;
}

export interface ScriptResult {
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  /** The first 16 KiB. */
  readonly stderr: string;
}

/**
 * Runs one of this package's own small scripts to its end, without variables of the run or the image.
 * @throws SkillError `BACKEND_FAILED`, also when it was killed or took too long, `LIMIT_EXCEEDED` for more output than
 * `maxBytes`, `WORKSPACE_NOT_FOUND`, `ABORTED`, and whatever `input` throws. The script has ended then.
 */
export async function runScript(
  container: WorkspaceContainer,
  {
    script,
    args = [],
    as,
    input,
    maxBytes = DEFAULT_MAX_BYTES,
    timeoutMs = DEFAULT_TIMEOUT_MS,
  }: ScriptRequest,
  { signal }: CallOptions = {},
): Promise<ScriptResult> {
  checkAborted(signal);
  const { shell } = container;
  const argv = [shell, ...shellArguments(container), "-c", script, "skillwright", ...args] as const;
  const stop = new AbortController();
  const read = readingAll(maxBytes, stop);
  const timer = setTimeout(() => stop.abort(tookTooLong(timeoutMs)), timeoutMs);
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  let command: ContainerCommand | undefined;
  try {
    const request = { argv, as, environment: SCRIPT_ENVIRONMENT, input: input !== undefined, ...read };
    command = startCommand(container, await container.engine.streams.open(container, { signal }), request);
    if (input) void feed(command, input, stop);
    const { how, number } = await untilAborted(command.ended, stop.signal);
    if (how === "signal") throw wasKilled();
    return { exitCode: number, ...read.all() };
  } catch (error) {
    command?.end();
    checkAborted(signal);
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** Prevents the container's shell from reading start-up files. */
export function shellArguments({ isBash }: Pick<WorkspaceContainer, "isBash">): readonly string[] {
  return isBash ? ["--noprofile", "--norc"] : [];
}

function readingAll(maxBytes: number, stop: AbortController) {
  const pieces = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  const sizes = { stdout: 0, stderr: 0 };
  const onOutput: CommandRequest["onOutput"] = (stream, bytes) => {
    if (stop.signal.aborted) return undefined;
    if (stream === "stdout" || sizes.stderr < MAX_ERROR_BYTES) pieces[stream].push(bytes);
    sizes[stream] += bytes.byteLength;
    if (sizes.stdout > maxBytes) stop.abort(tooMuch(maxBytes));
    return undefined;
  };
  const all = (): Pick<ScriptResult, "stdout" | "stderr"> => ({
    stdout: Buffer.concat(pieces.stdout),
    stderr: Buffer.concat(pieces.stderr).subarray(0, MAX_ERROR_BYTES).toString("utf8"),
  });
  return { onOutput, all };
}

/** An error of the source ends the script; a script may stop reading. */
async function feed(
  command: ContainerCommand,
  input: NonNullable<ScriptRequest["input"]>,
  stop: AbortController,
): Promise<void> {
  try {
    for await (const bytes of input) await command.write(bytes);
    command.endInput();
  } catch (error) {
    if (!SkillError.is(error, "CLOSED")) stop.abort(error);
  }
}

function tooMuch(limit: number): SkillError {
  return new SkillError(
    "LIMIT_EXCEEDED",
    `A script in the container wrote more than ${limit} bytes. Give fewer files at a time.`,
    { details: { limit } },
  );
}

function tookTooLong(timeoutMs: number): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `A script in the container did not end within ${timeoutMs} ms, so it was killed. Try again when the workspace is less busy.`,
    { details: { timeoutMs } },
  );
}

function wasKilled(): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    "A script in the container was killed: by a command in the workspace, from outside, or for lack of memory. Try again when no command runs.",
  );
}
