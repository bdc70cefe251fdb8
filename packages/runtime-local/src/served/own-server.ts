import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { SkillError } from "@skillwright/core";
import {
  type CommandRequest,
  type RunStream,
  runStream,
  type StreamedCommand,
} from "@skillwright/supervisor";
import { TOOL_ENVIRONMENT } from "../host/run-tool.js";
import { type KeptAwake, keepAwake } from "./keep-awake.js";

/**
 * The process that starts the runs of a runtime. It has little memory, so that it forks quickly: Node's `spawn` copies the page tables
 * of this process, which blocks it for about 40 ms per GiB of its memory.
 */
export interface OwnServer {
  /** Starts the process where there is none. @throws SkillError `BACKEND_FAILED` when the system cannot start it. */
  open(): Promise<void>;
  /**
   * Starts a command of the supervisor, and the process itself where there is none: at first, and when it has died.
   * @throws SkillError `BACKEND_FAILED` when the system cannot start it.
   */
  start(request: CommandRequest): Promise<StreamedCommand>;
  /** Ends the process, and all runs that end with their host. */
  close(): void;
}

/** A scope of systemd in which the process is started. */
export interface ServerScope {
  /** The program and the arguments that create a new scope and then execute the command after them. */
  command(): readonly string[];
  /** The variables of that program. */
  readonly env: Readonly<Record<string, string>>;
  /** Called for each process that was started in a new scope, before the process starts a run. */
  entered(pid: number): void;
  /** Creates the error from the text that the program printed when it failed. */
  failed(said: string): SkillError;
}

const HOST_DESCRIPTOR = 3;

/** @param supervisor Absolute path of the program. */
export function ownServer(supervisor: string, scope?: ServerScope): OwnServer {
  let kept: RunStream | undefined;
  let opening: Promise<RunStream> | undefined;
  let isClosed = false;

  async function open(): Promise<RunStream> {
    if (isClosed) throw closed();
    if (kept?.isOpen()) return kept;
    opening ??= serving(supervisor, scope).finally(() => {
      opening = undefined;
    });
    kept = await opening;
    if (isClosed) kept.close();
    return kept;
  }

  return {
    open: async () => void (await open()),
    start: async (request) => (await open()).start(request),
    close: () => {
      isClosed = true;
      kept?.close();
    },
  };
}

/** A process that ends with this one. Without a run it does not keep this process alive. */
async function serving(supervisor: string, scope: ServerScope | undefined): Promise<RunStream> {
  const command = [...(scope?.command() ?? []), supervisor, "serve", "--host", String(HOST_DESCRIPTOR)];
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    cwd: "/",
    env: scope?.env ?? TOOL_ENVIRONMENT,
    // Outside the terminal's process group, whose signals are meant for this process only.
    detached: true,
    stdio: ["ignore", "ignore", scope ? "pipe" : "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const failed = new Promise<never>((_, reject) => child.once("error", reject));
  // The error is thrown below. If it comes later, nobody waits for it.
  failed.catch(() => undefined);
  child.unref();
  const awake = keepAwake(() => child.kill("SIGCONT"));
  awake.on();
  const socket = child.stdio.at(HOST_DESCRIPTOR) as Socket;
  try {
    const stream = await Promise.race([failed, runStream(connectionOf(socket, awake))]);
    socket.unref();
    awake.off();
    if (child.pid !== undefined) scope?.entered(child.pid);
    return stream;
  } catch (error) {
    awake.off();
    socket.destroy();
    if (!scope) throw SkillError.from(error, `Starting ${supervisor}`);
    if (child.stderr && !child.stderr.closed) await once(child.stderr, "close");
    throw scope.failed(said || String(error));
  } finally {
    child.stderr?.destroy();
  }
}

function connectionOf(socket: Socket, awake: KeptAwake): Parameters<typeof runStream>[0] {
  return {
    input: socket,
    write: (bytes) =>
      new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve()))),
    close: () => {
      socket.destroy();
      // Resumed until it has seen that.
      awake.on();
    },
    inUse: (isInUse) => {
      if (isInUse) {
        socket.ref();
        awake.on();
      } else {
        socket.unref();
        if (!socket.destroyed) awake.off();
      }
    },
  };
}

function closed(): SkillError {
  return new SkillError("CLOSED", "The local runtime has been closed. Create a new one.");
}
