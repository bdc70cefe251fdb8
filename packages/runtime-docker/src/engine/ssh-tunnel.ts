import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { SkillError } from "@skillwright/core";
import type { EnginePlace } from "./engine-address.js";
import { type SshProcess, startSsh } from "./ssh-process.js";

type SshPlace = Extract<EnginePlace, { kind: "ssh" }>;

export interface SshTunnel {
  /** A local socket that is forwarded to the remote engine. */
  readonly socket: string;
  /** Reopens the tunnel if it broke down. @throws SkillError `BACKEND_FAILED` with the output of `ssh`. */
  ready(): Promise<void>;
  /** To be called after a connection through the tunnel broke: `ssh` may not have noticed it, or not have ended yet. */
  doubt(): void;
  close(): void;
}

const POLL_MS = 20;

/**
 * Forwards a socket to the remote engine's through the user's own `ssh`, with its configuration, keys and known hosts.
 * Never prompts: whatever needs a password or the confirmation of an unknown host fails.
 * @throws SkillError `ISOLATION_UNAVAILABLE` with the output of `ssh`.
 */
export async function openSshTunnel(place: SshPlace, timeoutMs: number): Promise<SshTunnel> {
  const directory = await mkdtemp(join(tmpdir(), "skillwright-ssh-"));
  const socket = join(directory, "s");
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once("exit", remove);
  let ssh: SshProcess | undefined;
  let opening: Promise<void> | undefined;
  let isDoubted = false;
  let closed = false;

  async function open(): Promise<void> {
    ssh?.end();
    // A leftover socket would prevent creating a new one.
    await rm(socket, { force: true });
    const started = startSsh(place, socket);
    ssh = started;
    // It may also have been closed meanwhile.
    if (closed) started.end();
    const deadline = performance.now() + timeoutMs;
    while (!started.hasEnded() && performance.now() < deadline) {
      if (await accepts(socket)) return;
      await setTimeout(POLL_MS);
    }
    started.end();
    throw noTunnel(place, started.said() || `it was not established within ${timeoutMs} ms`);
  }

  async function ready(): Promise<void> {
    if (closed) throw new SkillError("CLOSED", "The tunnel to the container engine has been closed.");
    // The end of a process is reported with the next full turn of the event loop.
    await setImmediate();
    await setImmediate();
    const isRunning = ssh && !ssh.hasEnded();
    if (!opening && isRunning && !isDoubted) return;
    const reopen = async () => {
      isDoubted = false;
      if (!isRunning || !(await answers(socket, timeoutMs))) await open();
    };
    opening ??= reopen().finally(() => {
      opening = undefined;
    });
    await opening;
  }

  function close(): void {
    closed = true;
    ssh?.end();
    process.removeListener("exit", remove);
    remove();
  }

  try {
    await ready();
  } catch (error) {
    close();
    throw error;
  }
  const doubt = () => {
    isDoubted = true;
  };
  return { socket, ready: () => ready().catch(brokenDown), doubt, close };
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const settle = (works: boolean) => {
      socket.destroy();
      resolve(works);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}

/** True where an engine answers through the socket, whatever it says. */
function answers(path: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => socket.write("GET /_ping HTTP/1.0\r\n\r\n"));
    const settle = (works: boolean) => {
      socket.destroy();
      resolve(works);
    };
    socket.setTimeout(timeoutMs, () => settle(false));
    socket.once("data", () => settle(true));
    socket.once("error", () => settle(false));
    socket.once("close", () => settle(false));
  });
}

function noTunnel({ target, port }: SshPlace, why: string): SkillError {
  const host = `ssh://${target}${port && `:${port}`}`;
  const attempt = port ? `ssh -p ${port} ${target}` : `ssh ${target}`;
  return new SkillError(
    "ISOLATION_UNAVAILABLE",
    `The container engine at ${host} could not be reached: ${why}. Check that ${attempt} works without a prompt.`,
    { details: { host } },
  );
}

/** The error for an engine that was reachable before. */
function brokenDown(error: unknown): never {
  if (!SkillError.is(error, "ISOLATION_UNAVAILABLE")) throw error;
  throw new SkillError("BACKEND_FAILED", error.message, { cause: error, details: error.details });
}
