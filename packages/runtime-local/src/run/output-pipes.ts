import { randomBytes } from "node:crypto";
import { chownSync, closeSync, constants, existsSync, openSync, unlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { Socket } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Credentials } from "../host/credentials.js";
import { findProgram } from "../host/find-program.js";
import { runTool } from "../host/run-tool.js";
import { removeTree } from "../storage/remove-tree.js";

const PIPES_A_BATCH = 64;

/** A pipe for one output stream of one command. */
export interface OutputPipe {
  readonly readable: Readable;
  /** The child's end; close it here as soon as the child has been started. */
  readonly writeDescriptor: number;
}

/** Makes pipes. */
export interface OutputPipes {
  /**
   * Returns both pipes of a run, in a turn of the event loop in which no other run gets pipes, so that the process can
   * be started at once. Empty where the machine cannot create pipes and Node's own kind is used.
   */
  takePair(): Promise<readonly [stdout: OutputPipe, stderr: OutputPipe] | readonly []>;
  close(): Promise<void>;
}

/**
 * Node's "pipes" are sockets, and a command that opens `/dev/stdout` or `/dev/stderr` fails on a socket. So these are
 * real pipes: created with `mkfifo` in batches, and unlinked as soon as both ends are open.
 */
export function outputPipes(directory: string, owner: Credentials | undefined): OutputPipes {
  const home = join(directory, `pipes-${process.pid}-${randomBytes(6).toString("hex")}`);
  const ready: string[] = [];
  const turn = startTurns();
  let making: Promise<boolean> | undefined;

  async function takePair(): Promise<readonly [OutputPipe, OutputPipe] | readonly []> {
    for (;;) {
      const canMake = process.platform === "linux" && (await seeToPair());
      await turn();
      if (!canMake) return [];
      // Other runs may have taken the pipes in the meantime.
      const [first, second] = ready.splice(-2);
      if (first !== undefined && second !== undefined) return openPair(first, second, owner);
    }
  }

  async function seeToPair(): Promise<boolean> {
    // A cleanup of temporary directories may have removed pipes that were created long ago.
    if (!ready.slice(-2).every((path) => existsSync(path))) ready.length = 0;
    while (ready.length < 2) {
      making ??= makeMore().finally(() => {
        making = undefined;
      });
      if (!(await making)) return false;
    }
    return true;
  }

  async function makeMore(): Promise<boolean> {
    const mkfifo = await findProgram("mkfifo");
    if (!mkfifo) return false;
    await mkdir(home, { recursive: true, mode: 0o700 });
    const paths = Array.from({ length: PIPES_A_BATCH }, () => join(home, randomBytes(9).toString("hex")));
    const { exitCode } = await runTool(mkfifo, ["-m", "600", "--", ...paths]);
    if (exitCode === 0) ready.push(...paths);
    return exitCode === 0;
  }

  return { takePair, close: () => removeTree(home) };
}

function openPair(
  first: string,
  second: string,
  owner: Credentials | undefined,
): readonly [OutputPipe, OutputPipe] {
  const stdout = openPipe(first, owner);
  try {
    return [stdout, openPipe(second, owner)];
  } catch (error) {
    discard(stdout);
    throw error;
  }
}

/**
 * The child's end blocks like any pipe; the other end must not, and opening it first lets the child's end open at once.
 */
function openPipe(path: string, owner: Credentials | undefined): OutputPipe {
  if (owner) chownSync(path, owner.uid, owner.gid);
  const readDescriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const readable = new Socket({ fd: readDescriptor, readable: true, writable: false });
  try {
    return { readable, writeDescriptor: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    readable.destroy();
    throw error;
  } finally {
    unlinkSync(path);
  }
}

function discard({ readable, writeDescriptor }: OutputPipe): void {
  readable.destroy();
  closeSync(writeDescriptor);
}

/**
 * Settles in a separate turn of the event loop for each caller; at once where there was no other caller in this turn,
 * so that a single call costs nothing.
 */
type StartTurns = () => Promise<void>;

/**
 * Starting a process blocks the event loop for about 40 ms per GiB of memory that this process holds. Many starts at
 * once would block it for the sum; one start per turn lets other work run in between.
 */
function startTurns(): StartTurns {
  const waiting: (() => void)[] = [];
  let taken = false;

  function nextTurn(): void {
    const next = waiting.shift();
    taken = next !== undefined;
    if (!next) return;
    setImmediate(nextTurn);
    next();
  }

  return async () => {
    if (taken) return await new Promise<void>((resolve) => waiting.push(resolve));
    taken = true;
    setImmediate(nextTurn);
  };
}
