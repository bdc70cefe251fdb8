import type { Duplex } from "node:stream";
import { type CallOptions, SkillError } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import { type RunStream, runStream } from "@skillwright/supervisor";
import { containerState } from "../container/container-state.js";
import type { WorkspaceContainer } from "../container/workspace-container.js";
import { isTooLate } from "../engine/engine-error.js";
import { makeRoom } from "../exec/make-room.js";
import { startExec } from "../exec/start-exec.js";
import { SOCKET, SUPERVISOR } from "./supervisor-place.js";

/** How often it is checked, during a run, whether the container is still the same. */
const CHECK_MS = 5000;

/** A container that is paused answers nothing, and neither does one that has ended. */
const ANSWER_MS = 50;

/** A connection of this process to a supervisor. */
interface HostStream extends RunStream {
  /** When the container was last started before this connection was opened, in the engine's format. */
  readonly startedAt: string;
}

/** The connections of one process to the supervisors of containers: one for each, kept open, and separate ones. */
export interface ContainerStreams {
  /** The one that is known to be open; `undefined` where there is none. */
  current(container: WorkspaceContainer): HostStream | undefined;
  /**
   * Returns the open one, over which the supervisor has answered after this call, or makes the container ready and opens
   * one.
   * @throws SkillError as `WorkspaceContainer.ready`, `BACKEND_FAILED`, `ABORTED`, `CLOSED` after `close`.
   */
  open(container: WorkspaceContainer, options?: CallOptions): Promise<HostStream>;
  /** Opens one that belongs to the caller, who closes it. @throws SkillError as `open`. */
  separate(container: WorkspaceContainer, options?: CallOptions): Promise<HostStream>;
  /** Closes all connections, also those that are being opened. */
  close(): void;
}

/** One per engine. */
export function containerStreams(): ContainerStreams {
  let isClosed = false;
  const streams = new Map<string, HostStream>();
  const opening = new Map<string, Promise<HostStream>>();
  const all = new Set<HostStream>();

  function current({ container: { id } }: WorkspaceContainer): HostStream | undefined {
    const stream = streams.get(id);
    return stream?.isOpen() ? stream : undefined;
  }

  /** Shared by concurrent callers, so that no caller's signal aborts it. */
  async function open(container: WorkspaceContainer, { signal }: CallOptions = {}): Promise<HostStream> {
    const { id } = container.container;
    const stream = current(container);
    if (stream && (await answers(container, stream, { signal }))) return stream;
    const made = opening.get(id) ?? kept(container).finally(() => opening.delete(id));
    opening.set(id, made);
    return await untilAborted(made, signal);
  }

  async function kept(container: WorkspaceContainer): Promise<HostStream> {
    const stream = await connected(container);
    const { id } = container.container;
    streams.set(id, stream);
    void stream.closed.then(() => streams.get(id) === stream && streams.delete(id));
    return stream;
  }

  async function connected(container: WorkspaceContainer): Promise<HostStream> {
    const { State } = await container.ready();
    const startedAt = State.StartedAt;
    const next = async () => {
      const stream = await connect(container, startedAt);
      if (!isClosed) return stream;
      stream.close();
      throw new SkillError("CLOSED", "The runtime was closed while a container was being connected to.");
    };
    const stream = await next().catch(async (error: unknown) => {
      if (isClosed || isTooLate(error)) throw error;
      // Runs in progress may use all processes of the container.
      const room = await makeRoom(container);
      return await next().finally(room.takeBack);
    });
    all.add(stream);
    void stream.closed.then(() => all.delete(stream));
    return stream;
  }

  return {
    current,
    open,
    separate: async (container, { signal } = {}) => {
      const made = connected(container);
      return await untilAborted(made, signal).catch((error: unknown) => {
        // A connection that fails leaves nothing to close.
        made.then((stream) => stream.close()).catch(() => undefined);
        throw error;
      });
    },
    close: () => {
      isClosed = true;
      for (const stream of all) stream.close();
    },
  };
}

/**
 * An engine may keep the connection to a container that has ended, or end it later; a run would be lost on it. So the
 * supervisor is asked for a sign of life first.
 */
async function answers(
  container: WorkspaceContainer,
  stream: HostStream,
  options: CallOptions,
): Promise<boolean> {
  const answer = stream.notes().then(
    () => true,
    () => false,
  );
  if (await isSettled(answer, ANSWER_MS)) return await answer;
  await container.ready(options);
  if (await hasEnded(container, stream, options)) return false;
  return await container.engine.call("Waiting for the supervisor of a container", () => answer, options);
}

/** Closes the connection of a container that has ended since it was opened, whether or not it was started again. */
async function hasEnded(
  container: WorkspaceContainer,
  stream: Pick<HostStream, "startedAt" | "close">,
  options: CallOptions = {},
): Promise<boolean> {
  const { now, startedAt } = await containerState(container, options);
  const isSame = (now === "running" || now === "paused") && startedAt === stream.startedAt;
  if (!isSame) stream.close();
  return !isSame;
}

async function connect(container: WorkspaceContainer, startedAt: string): Promise<HostStream> {
  const exec = await startExec(container, [SUPERVISOR, "connect", "--socket", SOCKET]);
  const input = (async function* () {
    for await (const { stream, bytes } of exec.output) if (stream === "stdout") yield bytes;
  })();
  let checking: NodeJS.Timeout | undefined;
  // The next check asks again.
  const check = () => void hasEnded(container, { startedAt, close: exec.close }).catch(() => undefined);
  const inUse = (isInUse: boolean) => {
    keepAlive(exec.connection, isInUse);
    clearInterval(checking);
    checking = isInUse ? setInterval(check, CHECK_MS).unref() : undefined;
  };
  const connection = { input, write: exec.write, close: exec.close, inUse };
  const hello = () => runStream(connection);
  const stream = await container.engine
    .call("Waiting for the supervisor of a container", hello)
    .catch((error: unknown) => {
      exec.close();
      throw error;
    });
  inUse(false);
  return { ...stream, startedAt };
}

/** True where the promise settles within the time. */
async function isSettled(promise: Promise<unknown>, withinMs: number): Promise<boolean> {
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

/** A connection without a run does not keep this process alive. */
function keepAlive(connection: Duplex & { ref?(): void; unref?(): void }, isInUse: boolean): void {
  if (isInUse) connection.ref?.();
  else connection.unref?.();
}
