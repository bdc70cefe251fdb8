import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis, type RedisOptions } from "ioredis";
import { type RedisProcess, redisProcess } from "./redis-process.js";

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

export interface RedisServer extends RedisProcess {
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
  /** Command-line arguments, such as `["--requirepass", "secret"]`. */
  readonly settings?: readonly string[];
}

/** Starts Debian's `redis-server` on a port of loopback that stays free for it while it is down, with its data in a new temporary directory. */
export async function startRedis({
  isKept = false,
  settings = [],
}: RedisServerOptions = {}): Promise<RedisServer> {
  const directory = await dataDirectory();
  const dispose = async () => await rm(directory, { recursive: true, force: true });
  const persistence = isKept ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"];
  for (;;) {
    const port = ownPort();
    const place = ["--bind", "127.0.0.1", "--port", `${port}`, "--dir", directory, "--save", ""];
    const server = redisProcess([...place, ...persistence, ...settings]);
    if (await server.start().then(() => true, isTaken)) return withClients(server, port, dispose);
  }
}

/** A random port below those that the kernel chooses for programs that ask for any free port. */
export function ownPort(): number {
  const [least] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split("\t");
  return randomInt(10_000, Number(least));
}

/** False where another program has taken the port. */
export function isTaken(error: Error): false {
  if (!/Address already in use/.test(error.message)) throw error;
  return false;
}

export async function dataDirectory(): Promise<string> {
  return await mkdtemp(join(tmpdir(), "skillwright-redis-"));
}

/** @param dispose Called after the server has been stopped. */
export function withClients(server: RedisProcess, port: number, dispose: () => Promise<void>): RedisServer {
  const clients = new Set<Redis>();

  function connect(options: ClientOptions = {}): Redis {
    const client = new Redis({ host: "127.0.0.1", port, ...options });
    // Calls report failures; without a listener, ioredis prints them too.
    client.on("error", () => undefined);
    clients.add(client);
    return client;
  }

  async function stop(): Promise<void> {
    for (const client of clients) client.disconnect();
    await server.kill();
    await dispose();
  }

  return { ...server, port, connect, stop };
}
