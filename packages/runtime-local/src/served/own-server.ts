import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { SkillError } from "@skillwright/core";
import {
  type CommandRequest,
  type RunStream,
  runStream,
  type StreamedCommand,
} from "@skillwright/supervisor";
import { TOOL_ENVIRONMENT } from "../host/run-tool.js";

/**
 * The process that starts the runs of a runtime. It has little memory, so that it forks quickly: Node's `spawn` copies the page tables
 * of this process, which blocks it for about 40 ms per GiB of its memory.
 */
export interface OwnServer {
  /**
   * Starts a command of the supervisor, and the process itself where there is none: at first, and when it has died.
   * @throws SkillError `BACKEND_FAILED` when the system cannot start it.
   */
  start(request: CommandRequest): Promise<StreamedCommand>;
  /** Lets the process go on: a command without isolation may have stopped it. */
  wake(): void;
  /** Ends the process, and all runs that end with their host. */
  close(): void;
}

interface Kept {
  readonly stream: RunStream;
  wake(): void;
}

const HOST_DESCRIPTOR = 3;

/** @param supervisor Absolute path of the program. */
export function ownServer(supervisor: string): OwnServer {
  let kept: Kept | undefined;
  let opening: Promise<Kept> | undefined;
  let isClosed = false;

  async function open(): Promise<Kept> {
    if (isClosed) throw closed();
    if (kept?.stream.isOpen()) return kept;
    opening ??= serving(supervisor).finally(() => {
      opening = undefined;
    });
    kept = await opening;
    if (isClosed) kept.stream.close();
    return kept;
  }

  return {
    start: async (request) => {
      const { stream, wake } = await open();
      wake();
      return stream.start(request);
    },
    wake: () => kept?.wake(),
    close: () => {
      isClosed = true;
      kept?.stream.close();
    },
  };
}

/** A process that ends with this one. Without a run it does not keep this process alive. */
async function serving(supervisor: string): Promise<Kept> {
  const child = spawn(supervisor, ["serve", "--host", String(HOST_DESCRIPTOR)], {
    cwd: "/",
    env: TOOL_ENVIRONMENT,
    // Outside the terminal's process group, whose signals are meant for this process only.
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const failed = new Promise<never>((_, reject) => child.once("error", reject));
  // The error is thrown below. If it comes later, nobody waits for it.
  failed.catch(() => undefined);
  child.unref();
  const socket = child.stdio.at(HOST_DESCRIPTOR) as Socket;
  try {
    const stream = await Promise.race([failed, runStream(connectionOf(socket))]);
    socket.unref();
    return { stream, wake: () => void child.kill("SIGCONT") };
  } catch (error) {
    socket.destroy();
    throw SkillError.from(error, `Starting ${supervisor}`);
  }
}

function connectionOf(socket: Socket): Parameters<typeof runStream>[0] {
  return {
    input: socket,
    write: (bytes) =>
      new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve()))),
    close: () => void socket.destroy(),
    inUse: (isInUse) => void (isInUse ? socket.ref() : socket.unref()),
  };
}

function closed(): SkillError {
  return new SkillError("CLOSED", "The local runtime has been closed. Create a new one.");
}
