import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis, type RedisOptions } from "ioredis";

type ClientOptions = Pick<
  RedisOptions,
  | "port"
  | "username"
  | "password"
  | "keyPrefix"
  | "commandTimeout"
  | "maxRetriesPerRequest"
  | "retryStrategy"
  | "enableOfflineQueue"
>;

export interface RedisServer {
  readonly port: number;
  /** A client of this server; disconnected when the server is stopped. */
  connect(options?: ClientOptions): Redis;
  /** Kills it with SIGKILL. Its data is lost unless it was started with `isKept`. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Ends the server and its clients, and removes its data. */
  stop(): Promise<void>;
}

export interface RedisServerOptions {
  /** Writes every change to disk, so that it survives `kill` and `start`. False by default. */
  readonly isKept?: boolean;
  /** Command-line arguments, such as `["--requirepass", "secret"]`; made again where another program has taken a port. */
  readonly settings?: readonly string[] | (() => Promise<readonly string[]>);
}

/** Starts Debian's `redis-server` on a free port of loopback, with its data in a new temporary directory. */
export async function startRedis({
  isKept = false,
  settings = [],
}: RedisServerOptions = {}): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), "skillwright-redis-"));
  let port = 0;
  let own: readonly string[] = [];
  const clients = new Set<Redis>();
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const persistence = isKept ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"];
    const place = ["--bind", "127.0.0.1", "--port", String(port), "--dir", directory];
    const given = [...place, "--save", "", ...persistence, ...own];
    const started = spawn("redis-server", given, { stdio: ["ignore", "pipe", "pipe"] });
    child = started;
    process.once("exit", killNow);
    await ready(started);
  }

  async function kill(): Promise<void> {
    const running = child;
    child = undefined;
    process.off("exit", killNow);
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGKILL");
    await ended;
  }

  function killNow(): void {
    child?.kill("SIGKILL");
  }

  function connect(options: ClientOptions = {}): Redis {
    const client = new Redis({ host: "127.0.0.1", port, ...options });
    // Calls report failures; without a listener, ioredis prints them too.
    client.on("error", () => undefined);
    clients.add(client);
    return client;
  }

  async function stop(): Promise<void> {
    for (const client of clients) client.disconnect();
    await kill();
    await rm(directory, { recursive: true, force: true });
  }

  do {
    port = await freePort();
    own = typeof settings === "function" ? await settings() : settings;
  } while (!(await start().then(() => true, isTaken)));
  return { port, connect, kill, start, stop };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("There is no free port.");
  return address.port;
}

/** False where another program has taken the port meanwhile. */
function isTaken(error: Error): false {
  if (!/Address already in use/.test(error.message)) throw error;
  return false;
}

async function ready(child: ChildProcess): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      output += chunk.toString();
      if (/Ready to accept connections/.test(output)) resolve();
    };
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`redis-server ended at its start:\n${output.slice(-2000)}`)));
  });
}
