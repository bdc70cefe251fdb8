import { type CallOptions, SkillError } from "@skillwright/core";
import { checkAborted } from "@skillwright/core/adapter";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { PROGRAM_PATH } from "../image/image-facts.js";
import type { ContainerExec, ExecRequest } from "./container-exec.js";
import { endStarted } from "./end-started.js";
import { randomGroup } from "./random-group.js";
import { shellArguments } from "./shell-arguments.js";
import { prepareExec } from "./start-exec.js";

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
  readonly as: ExecRequest["as"];
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
  const group = randomGroup();
  const argv = [container.shell, ...shellArguments(container), "-c", script, "skillwright", ...args] as const;
  const request: ExecRequest = {
    argv,
    as,
    group,
    environment: SCRIPT_ENVIRONMENT,
    input: input !== undefined,
  };
  const prepared = await prepareExec(container, request, { signal });
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(tookTooLong(timeoutMs)), timeoutMs);
  const abort = () => stop.abort(abortError(signal));
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  let exec: ContainerExec | undefined;
  try {
    exec = await prepared.start({ signal: stop.signal });
    void feed(exec, input, stop);
    const read = await Promise.race([readAll(exec, maxBytes), whenAborted(stop.signal)]);
    const { exitCode, maybeNotStarted } = await exec.end({ signal: stop.signal });
    if (maybeNotStarted) throw notStarted(exitCode, read);
    if (exitCode === 137) throw wasKilled();
    return { exitCode, ...read };
  } catch (error) {
    exec?.close();
    await endStarted(container, prepared, { group, as });
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    exec?.close();
  }
}

async function readAll(
  exec: ContainerExec,
  maxBytes: number,
): Promise<Pick<ScriptResult, "stdout" | "stderr">> {
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  const sizes = { stdout: 0, stderr: 0 };
  for await (const { stream, bytes } of exec.output) {
    sizes[stream] += bytes.byteLength;
    if (stream === "stdout") stdout.push(bytes);
    else if (sizes.stderr - bytes.byteLength < MAX_ERROR_BYTES) stderr.push(bytes);
    if (sizes.stdout > maxBytes) throw tooMuch(maxBytes);
  }
  const text = Buffer.concat(stderr).subarray(0, MAX_ERROR_BYTES).toString("utf8");
  return { stdout: Buffer.concat(stdout), stderr: text };
}

/** An error of the source ends the script; a script may stop reading. */
async function feed(
  exec: ContainerExec,
  input: ScriptRequest["input"],
  stop: AbortController,
): Promise<void> {
  try {
    for await (const bytes of input ?? []) await exec.write(bytes);
    await exec.endInput();
  } catch (error) {
    if (!SkillError.is(error, "CLOSED")) stop.abort(error);
  }
}

/** Engines return a shell's codes for a missing program, with the reason on either stream. */
function notStarted(
  exitCode: number,
  { stdout, stderr }: Pick<ScriptResult, "stdout" | "stderr">,
): SkillError {
  const said = `${Buffer.from(stdout.subarray(0, 500)).toString("utf8")}${stderr.slice(0, 500)}`.trim();
  return new SkillError(
    "BACKEND_FAILED",
    `The engine could not start a script in the container (${exitCode}): ${said || "it printed no reason"}. Check the engine's log.`,
    { details: { exitCode, said } },
  );
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function abortError(signal: AbortSignal | undefined): unknown {
  try {
    checkAborted(signal);
    return undefined;
  } catch (error) {
    return error;
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
