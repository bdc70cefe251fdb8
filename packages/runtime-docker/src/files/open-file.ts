import { type ByteStream, type CallOptions, SkillError } from "@skillwright/core";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import type { ContainerExec, ExecOutput } from "../exec/container-exec.js";
import { endStarted } from "../exec/end-started.js";
import { randomGroup } from "../exec/random-group.js";
import { SCRIPT_ENVIRONMENT } from "../exec/run-script.js";
import { shellArguments } from "../exec/shell-arguments.js";
import { startExec } from "../exec/start-exec.js";
import { nameOf, parentOf } from "./layout-path.js";
import { PATH_FUNCTIONS, refusal } from "./path-script.js";

const LONGEST_LINE = 4096;

const OPEN = `${PATH_FUNCTIONS}
enter "$1"
[ ! -L "./$2" ] || refuse link "$1/$2"
[ -e "./$2" ] || refuse none "$1/$2"
[ -f "./$2" ] || refuse special "$1/$2"
[ -r "./$2" ] || refuse closed "$1/$2"
exec 3<"./$2" || refuse closed "$1/$2"
echo opened
[ -z "$3" ] || exec head -c "$3" <&3
exec cat <&3
`;

export interface OpenFile {
  readonly content: ByteStream;
  /** Stops reading at any point. Does nothing after its end. */
  close(): void;
}

export interface OpenOptions extends CallOptions {
  /** Maximum number of bytes to read from the start. Defaults to all. */
  readonly atMost?: number | undefined;
}

/** Opens a regular file as the run's user, so that the file cannot be exchanged afterwards. */
export async function openFile(
  container: WorkspaceContainer,
  path: string,
  { signal, atMost }: OpenOptions = {},
): Promise<OpenFile> {
  const group = randomGroup();
  const shell = [container.shell, ...shellArguments(container), "-c", OPEN, "skillwright"] as const;
  const argv = [...shell, parentOf(path), nameOf(path), `${atMost ?? ""}`] as const;
  const request = { argv, as: "run", group, environment: SCRIPT_ENVIRONMENT } as const;
  const exec = await startExec(container, request, { signal });
  let open = true;
  const ended = () => {
    open = false;
    exec.close();
  };
  const close = () => {
    if (!open) return;
    ended();
    // Without this, its reader would wait forever, or the process would read on unused.
    void endStarted(container, exec, { group, as: "run" });
  };
  try {
    const stdout = standardOutput(container, exec, path, { signal });
    const { line, rest } = await firstLine(stdout);
    if (line !== "opened") throw refusal(line, path);
    return { content: content(exec, { rest, stdout, path, signal, ended, close }), close };
  } catch (error) {
    close();
    throw error;
  }
}

interface Reading extends CallOptions {
  readonly rest: Uint8Array;
  readonly stdout: AsyncIterator<Uint8Array>;
  readonly path: string;
  readonly ended: () => void;
  readonly close: () => void;
}

async function* content(exec: ContainerExec, reading: Reading): ByteStream {
  const { rest, stdout, path, signal, ended, close } = reading;
  try {
    if (rest.byteLength > 0) yield rest;
    for (let next = await stdout.next(); !next.done; next = await stdout.next()) yield next.value;
    const { exitCode } = await exec.end({ signal });
    if (exitCode !== 0) throw cutOff(path, exitCode);
    ended();
  } finally {
    close();
  }
}

/** Each piece must arrive within the deadline of a call; the reader may take any time between pieces. */
async function* standardOutput(
  { engine }: WorkspaceContainer,
  exec: ContainerExec,
  path: string,
  options: CallOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const output: AsyncIterator<ExecOutput> = exec.output[Symbol.asyncIterator]();
  for (;;) {
    const next = await engine.call(`Reading ${path}`, async () => await output.next(), options);
    if (next.done) return;
    if (next.value.stream === "stdout") yield next.value.bytes;
  }
}

async function firstLine(
  stdout: AsyncIterator<Uint8Array>,
): Promise<{ readonly line: string; readonly rest: Uint8Array }> {
  let head: Buffer = Buffer.alloc(0);
  while (!head.includes("\n") && head.byteLength < LONGEST_LINE) {
    const next = await stdout.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const end = head.indexOf("\n");
  return end < 0
    ? { line: head.toString("utf8"), rest: Buffer.alloc(0) }
    : { line: head.toString("utf8", 0, end), rest: head.subarray(end + 1) };
}

function cutOff(path: string, exitCode: number): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `Reading ${path} was interrupted (${exitCode}): by a command in the workspace, from outside, or for lack of memory. Read it again.`,
    { details: { path, exitCode } },
  );
}
