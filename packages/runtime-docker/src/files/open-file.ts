import { Readable } from "node:stream";
import { type ByteStream, type CallOptions, SkillError } from "@skillwright/core";
import type { CommandEnd } from "@skillwright/supervisor";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { SCRIPT_ENVIRONMENT, shellArguments } from "../stream/run-script.js";
import { startCommand } from "../stream/start-command.js";
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

/**
 * Opens a regular file as the run's user, so that the file cannot be exchanged afterwards. It is read over a connection of its
 * own, which a slow reader may fill.
 */
export async function openFile(
  container: WorkspaceContainer,
  path: string,
  { signal, atMost }: OpenOptions = {},
): Promise<OpenFile> {
  const stream = await container.engine.streams.separate(container, { signal });
  let goOn: () => void = () => undefined;
  const output = new Readable({ read: () => goOn() });
  const close = () => {
    stream.close();
    output.destroy();
  };
  try {
    const shell = [container.shell, ...shellArguments(container), "-c", OPEN, "skillwright"] as const;
    const argv = [...shell, parentOf(path), nameOf(path), `${atMost ?? ""}`] as const;
    const command = startCommand(container, stream, {
      ...{ argv, as: "run", environment: SCRIPT_ENVIRONMENT, input: false },
      onOutput: (name, bytes) => {
        if (name === "stderr" || output.destroyed || output.push(Uint8Array.from(bytes))) return undefined;
        return new Promise<void>((resolve) => {
          goOn = resolve;
        });
      },
    });
    const end = () => void (output.destroyed || output.push(null));
    command.ended.then(end, end);
    const pieces = read(container, output, path, { signal });
    const { line, rest } = await firstLine(pieces);
    if (line !== "opened") throw refusal(line, path);
    return { content: content({ rest, pieces, path, ended: command.ended, close }), close };
  } catch (error) {
    close();
    throw error;
  }
}

interface Reading {
  readonly rest: Uint8Array;
  readonly pieces: AsyncIterator<Uint8Array>;
  readonly path: string;
  readonly ended: Promise<CommandEnd>;
  readonly close: () => void;
}

async function* content({ rest, pieces, path, ended, close }: Reading): ByteStream {
  try {
    if (rest.byteLength > 0) yield rest;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
    const { how, number } = await ended;
    if (how === "signal" || number !== 0) throw cutOff(path, number);
  } finally {
    close();
  }
}

/** Each piece must arrive within the deadline of a call; the reader may take any time between pieces. */
async function* read(
  { engine }: WorkspaceContainer,
  output: Readable,
  path: string,
  options: CallOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces: AsyncIterator<Uint8Array> = output[Symbol.asyncIterator]();
  for (;;) {
    const next = await engine.call(`Reading ${path}`, async () => await pieces.next(), options);
    if (next.done) return;
    yield next.value;
  }
}

async function firstLine(
  pieces: AsyncIterator<Uint8Array>,
): Promise<{ readonly line: string; readonly rest: Uint8Array }> {
  let head: Buffer = Buffer.alloc(0);
  while (!head.includes("\n") && head.byteLength < LONGEST_LINE) {
    const next = await pieces.next();
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
