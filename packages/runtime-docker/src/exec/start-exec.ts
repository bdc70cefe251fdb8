import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { CallOptions } from "@skillwright/core";
import type Dockerode from "dockerode";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { statusOf } from "../engine/engine-error.js";
import { execInput } from "./exec-input.js";
import { type ExecOutput, execOutput } from "./exec-output.js";

/** A process of root that the engine has started in a container. */
export interface ContainerExec {
  readonly connection: Duplex;
  /** Both streams until the engine closes them, which does not tell how the process ended. Read it once. */
  readonly output: AsyncIterable<ExecOutput>;
  /** Settles when the engine's connection accepted the bytes. @throws SkillError `CLOSED`. */
  write(bytes: Uint8Array): Promise<void>;
  /** Closes the stream; a process that does not read its input continues. */
  close(): void;
}

/** Maximum time for which an engine may call a container paused that was resumed. */
const WAKING_MS = 2000;
const CONFLICT = 409;

/**
 * Starts a program as root, in the root directory, without variables of the image.
 * @throws SkillError `BACKEND_FAILED`, `ABORTED`; whether it was started is unknown then.
 */
export async function startExec(
  { container, engine }: Pick<WorkspaceContainer, "container" | "engine">,
  argv: readonly [program: string, ...rest: string[]],
  options?: CallOptions,
): Promise<ContainerExec> {
  const create = (abortSignal: AbortSignal) =>
    container.exec({
      ...{ Cmd: [...argv], User: "0:0", WorkingDir: "/", Tty: false },
      ...{ AttachStdin: true, AttachStdout: true, AttachStderr: true, abortSignal },
    });
  const exec = await onceAwake(() => engine.call("Preparing a command in the container", create, options));
  const connecting = (abortSignal: AbortSignal) => connect(exec, abortSignal);
  const connection = await engine.call("Starting a command in the container", connecting, options);
  return {
    connection,
    output: execOutput(connection),
    write: execInput(connection),
    close: () => {
      if (!connection.destroyed) connection.destroy();
    },
  };
}

/**
 * Docker is told of a pause a second time, by an event; where that arrives after the container was resumed, it calls
 * the container paused until the next event.
 */
async function onceAwake<T>(prepare: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + WAKING_MS;
  for (let waitMs = 2; ; waitMs = Math.min(50, waitMs * 2)) {
    try {
      return await prepare();
    } catch (error) {
      const isPaused = statusOf(error) === CONFLICT && /is paused/.test(String(error));
      if (!isPaused || performance.now() > deadline) throw error;
    }
    await setTimeout(waitMs);
  }
}

async function connect(exec: Dockerode.Exec, abortSignal: AbortSignal): Promise<Duplex> {
  const connection = await exec.start({ hijack: true, stdin: true, Detach: false, Tty: false, abortSignal });
  // Without a listener, a broken connection would crash the host process.
  connection.on("error", () => undefined);
  // The call was already given up.
  if (abortSignal.aborted) connection.destroy();
  return connection;
}
