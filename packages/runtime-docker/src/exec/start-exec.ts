import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { type CallOptions, SkillError } from "@skillwright/core";
import type Dockerode from "dockerode";
import { statusOf } from "../engine/engine-error.js";
import type { ContainerExec, ExecContainer, ExecEnd, ExecRequest } from "./container-exec.js";
import { execInput } from "./exec-input.js";
import { execOutput } from "./exec-output.js";

/** An engine closes the streams slightly before it knows how the process ended. */
const ENDING_MS = 3000;
/** Exit code of the supervisor when it could not set the filter or start the program. */
const FILTER_FAILED = 125;
/** Maximum time from the request to the existence of the process, even on a busy machine. */
const STARTING_MS = 1000;
/** Maximum time for which an engine may call a container paused that was resumed. */
const WAKING_MS = 2000;
const CONFLICT = 409;

/** A process that the engine knows and has not started. */
export interface PreparedExec {
  start(options?: CallOptions): Promise<ContainerExec>;
  /** Like that of the exec, also where `start` was given up. */
  settled: ContainerExec["settled"];
}

/**
 * Starts it, in the root directory.
 * @throws SkillError `BACKEND_FAILED`, `ABORTED`; whether it was started is unknown then.
 */
export async function startExec(
  container: ExecContainer,
  request: ExecRequest,
  options?: CallOptions,
): Promise<ContainerExec> {
  const prepared = await prepareExec(container, request, options);
  return await prepared.start(options);
}

/** @throws SkillError `BACKEND_FAILED`, `ABORTED`. */
export async function prepareExec(
  { container, engine, user, filter, supervisor }: ExecContainer,
  request: ExecRequest,
  options?: CallOptions,
): Promise<PreparedExec> {
  const { input = false, as } = request;
  const isFiltered = as === "run" && filter !== undefined;
  const create = (abortSignal: AbortSignal) =>
    container.exec({ ...execOptions(request, { user, filter, supervisor }), abortSignal });
  const exec = await onceAwake(() => engine.call("Preparing a command in the container", create, options));

  async function inspect(options?: CallOptions): Promise<Dockerode.ExecInspectInfo> {
    const look = (abortSignal: AbortSignal) => exec.inspect({ abortSignal });
    return await engine.call("Asking how a command ended", look, options);
  }

  async function start(options?: CallOptions): Promise<ContainerExec> {
    const connecting = (abortSignal: AbortSignal) => connect(exec, input, abortSignal);
    const connection = await engine.call("Starting a command in the container", connecting, options);
    return {
      id: exec.id,
      connection,
      output: execOutput(connection),
      ...execInput(input ? connection : undefined),
      end: async (more) => await endOf(() => inspect(more), isFiltered),
      settled,
      close: () => destroy(connection),
    };
  }

  const settled = async (options?: CallOptions) => await begun(() => inspect(options));
  return { start, settled };
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

function execOptions(
  { argv, as, group, environment = {}, input = false }: ExecRequest,
  { user: { uid, gid }, filter, supervisor }: Pick<ExecContainer, "user" | "filter" | "supervisor">,
): Dockerode.ExecCreateOptions {
  const [user, ownGroup] = as === "root" ? [0, 0] : [uid, gid];
  return {
    Cmd: as === "run" && filter ? [supervisor, "filter", "--filter", filter, "--", ...argv] : [...argv],
    User: `${user}:${group ?? ownGroup}`,
    WorkingDir: "/",
    Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    AttachStdin: input,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
  };
}

async function connect(exec: Dockerode.Exec, input: boolean, abortSignal: AbortSignal): Promise<Duplex> {
  const options = { hijack: true, stdin: input, Detach: false, Tty: false, abortSignal };
  const connection = await exec.start(options);
  // Without a listener, a broken connection would crash the host process.
  connection.on("error", () => undefined);
  // The call was already given up.
  if (abortSignal.aborted) connection.destroy();
  return connection;
}

function destroy(connection: Duplex): void {
  if (!connection.destroyed) connection.destroy();
}

async function endOf(
  inspect: () => Promise<Dockerode.ExecInspectInfo>,
  isFiltered: boolean,
): Promise<ExecEnd> {
  const { ExitCode, Pid } = await polled(
    inspect,
    (info) => !info.Running && typeof info.ExitCode === "number",
  );
  const exitCode = ExitCode ?? 0;
  if (exitCode < 0) throw exitCodeLost();
  const byEngine = (exitCode === 126 || exitCode === 127) && !Pid;
  return { exitCode, maybeNotStarted: byEngine || (isFiltered && exitCode === FILTER_FAILED) };
}

/**
 * Docker calls an exec running before it has a process, and Podman reports success for one that was never started; so
 * only the existence of a process, or the passage of time, is proof.
 */
async function begun(inspect: () => Promise<Dockerode.ExecInspectInfo>): Promise<void> {
  const deadline = performance.now() + STARTING_MS;
  await polled(inspect, ({ Pid, ExitCode }) => Pid > 0 || Boolean(ExitCode) || performance.now() > deadline);
}

async function polled(
  inspect: () => Promise<Dockerode.ExecInspectInfo>,
  isSo: (info: Dockerode.ExecInspectInfo) => boolean,
): Promise<Dockerode.ExecInspectInfo> {
  const deadline = performance.now() + ENDING_MS;
  for (let waitMs = 2; ; waitMs = Math.min(50, waitMs * 2)) {
    const info = await inspect();
    if (isSo(info)) return info;
    if (performance.now() > deadline) throw stillRunning();
    await setTimeout(waitMs);
  }
}

/** Podman reports -1 where the container was cleaned up before it read the exit code. */
function exitCodeLost(): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    "The engine no longer knows how the command ended. Check that its container is still running.",
    { details: { statusCode: 404 } },
  );
}

function stillRunning(): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    "The connection to the engine ended while the command was still running, so its result is unknown. Check the connection before you try again.",
  );
}
