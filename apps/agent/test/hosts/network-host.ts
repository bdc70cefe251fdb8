import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { otherNetwork } from "../../../../scripts/engines/keeper/network.mjs";
import { passingProxy } from "./passing-proxy.js";

const agentProgram = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const cliProgram = fileURLToPath(new URL("../../../../packages/cli/dist/main.js", import.meta.url));

export interface Servers {
  readonly s3Port: number;
  readonly redisPort: number;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A separate host from the view of its programs, with its own network, home and working directory. */
export interface NetworkHost {
  /** The working directory. */
  readonly directory: string;
  /** The address of Redis from this host. */
  readonly records: string;
  /** Starts a chat that is controlled line by line. */
  chat(args: readonly string[]): HostChat;
  /** Runs the `skillwright` command to its end and returns its output. */
  skillwright(args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export interface HostChat {
  /** Sends a line and returns the output until the chat waits for the next one. */
  say(line: string): Promise<string>;
  /** Ends the input, and returns all output. */
  end(): Promise<string>;
}

export async function networkHost(servers: Servers): Promise<NetworkHost> {
  const folder = await mkdtemp(join(tmpdir(), "sw-host-"));
  const [directory, home] = [join(folder, "project"), join(folder, "home")];
  await Promise.all([mkdir(directory), mkdir(home)]);
  const network = await otherNetwork(join(folder, "log"));
  const s3 = await passingProxy(network.ours, servers.s3Port);
  const redis = await passingProxy(network.ours, servers.redisPort);
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    TMPDIR: folder,
    NO_COLOR: "1",
    AWS_ENDPOINT_URL_S3: `http://${network.ours}:${s3.port}`,
    AWS_ACCESS_KEY_ID: servers.accessKeyId,
    AWS_SECRET_ACCESS_KEY: servers.secretAccessKey,
  };
  const children = new Set<ChildProcess>();

  function start(program: string, args: readonly string[]) {
    const [command = "", ...rest] = [...network.command, process.execPath, "--no-warnings", program, ...args];
    const child = spawn(command, rest, { cwd: directory, env, stdio: ["pipe", "pipe", "pipe"] });
    children.add(child);
    const printed = { out: "", all: "" };
    child.stdout.on("data", (data: Buffer) => {
      printed.out += data.toString();
      printed.all += data.toString();
    });
    child.stderr.on("data", (data: Buffer) => {
      printed.all += data.toString();
    });
    return { child, printed, exit: once(child, "exit") };
  }

  return {
    directory,
    records: `redis://${network.ours}:${redis.port}`,
    chat: (args) => hostChat(start(agentProgram, ["--chat", "--model", "offline", ...args])),
    async skillwright(args) {
      const { child, printed, exit } = start(cliProgram, args);
      child.stdin.end();
      const [code] = await exit;
      expect(code, printed.all).toBe(0);
      return printed.out;
    },
    async close() {
      for (const child of children) child.kill("SIGKILL");
      await s3.close();
      await redis.close();
      await network.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Started {
  readonly child: ReturnType<typeof spawn>;
  readonly printed: { out: string; all: string };
  readonly exit: Promise<unknown[]>;
}

function hostChat({ child, printed, exit }: Started): HostChat {
  const PROMPT = "You: ";
  let read = 0;

  /** Waits until the chat prompts again, which is after all output about the previous line. */
  async function untilAsked(): Promise<string> {
    await expect.poll(() => printed.out.indexOf(PROMPT, read)).toBeGreaterThanOrEqual(0);
    const at = printed.out.indexOf(PROMPT, read);
    const text = printed.out.slice(read, at);
    read = at + PROMPT.length;
    return text;
  }

  let first: Promise<string> | undefined;
  return {
    async say(line) {
      first ??= untilAsked();
      await first;
      child.stdin?.write(`${line}\n`);
      return await untilAsked();
    },
    async end() {
      child.stdin?.end();
      const [code] = await exit;
      expect(code, printed.all).toBe(0);
      return printed.all;
    },
  };
}
