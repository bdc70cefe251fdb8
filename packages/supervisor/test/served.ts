import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import {
  type CommandEnd,
  type CommandRequest,
  type RunStream,
  readReport,
  runStream,
  type StreamedCommand,
} from "../src/index.js";
import { ownProgram } from "./supervised.js";

/** A directory that is removed after the test. */
export function ownDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "supervisor-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Starts `serve`, which ends after the test. */
export async function served(): Promise<{ server: ChildProcess; socket: string; directory: string }> {
  const directory = ownDirectory();
  const socket = join(directory, "socket");
  const server = spawn(ownProgram, ["serve", "--socket", socket], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  await expect.poll(() => accepts(socket)).toBe(true);
  return { server, socket, directory };
}

/** The file of a socket is there a moment before anybody listens. */
async function accepts(path: string): Promise<boolean> {
  const socket = connect(path);
  const isOpen = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

/** Connects as a host does: by a process that joins its streams to the socket. */
export async function connected(
  socket: string,
  { before = [] }: { before?: readonly string[] } = {},
): Promise<{ stream: RunStream; host: ChildProcess }> {
  const [program = "", ...args] = [...before, ownProgram, "connect", "--socket", socket];
  const host = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const { stdin, stdout } = host;
  stdin.on("error", () => undefined);
  const close = () => void host.kill("SIGKILL");
  onTestFinished(close);
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) =>
      stdin.write(bytes, (error) => (error ? reject(error) : resolve())),
    );
  return { host, stream: await runStream({ input: stdout, write, close }) };
}

interface Served {
  readonly command: StreamedCommand;
  readonly text: (descriptor: 1 | 2 | 3) => string;
  readonly ended: Promise<CommandEnd | undefined>;
}

/** Starts a command of the supervisor and keeps what it writes. */
export function started(stream: RunStream, request: Omit<CommandRequest, "onBytes">): Served {
  const pieces = new Map<number, Buffer[]>();
  const command = stream.start({
    ...request,
    onBytes: (descriptor, bytes) => {
      pieces.set(descriptor, [...(pieces.get(descriptor) ?? []), Buffer.from(bytes)]);
    },
  });
  const text = (descriptor: 1 | 2 | 3) => Buffer.concat(pieces.get(descriptor) ?? []).toString("latin1");
  return { command, text, ended: command.ended };
}

/** Starts a shell command as a run of this host, with these more options. */
export function shell(
  stream: RunStream,
  text: string,
  { options = [], ...more }: { options?: readonly string[] } & Partial<CommandRequest> = {},
): Served {
  const words = ["run", "--report", "3", "--control", "4", "--session", ...options];
  return started(stream, {
    inputs: [4],
    ...more,
    arguments: [...words, "--", "/bin/bash", "-c", text],
  });
}

export function reportOf({ text }: Pick<Served, "text">) {
  return readReport(text(3));
}
