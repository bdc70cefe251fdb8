import { rm } from "node:fs/promises";
import { Cluster } from "ioredis";
import { vi } from "vitest";
import { redisProcess } from "./redis-process.js";
import { dataDirectory, isTaken, ownPort, type RedisServer, withClients } from "./redis-server.js";

export interface RedisCluster {
  readonly nodes: readonly RedisServer[];
  /** A client of the cluster; disconnected when the cluster is stopped. */
  connect(): Cluster;
  stop(): Promise<void>;
}

type Node = RedisServer & { readonly busPort: number };

const SLOTS = 16_384;
/** A node that a busy machine delays must not count as failed. */
const NODE_TIMEOUT_MS = 60_000;
const PATIENCE_MS = 180_000;

/** Starts three masters on loopback that share the slots. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const nodes = await Promise.all([0, 1, 2].map(startNode));
  const clients: Cluster[] = [];
  const stop = async (): Promise<void> => {
    for (const client of clients) client.disconnect();
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    await join(nodes);
  } catch (error) {
    await stop();
    throw error;
  }

  function connect(): Cluster {
    const client = new Cluster(nodes.map(({ port }) => ({ host: "127.0.0.1", port })));
    client.on("error", () => undefined);
    clients.push(client);
    return client;
  }

  return { nodes, connect, stop };
}

/** Tries another two ports where one is taken. */
async function startNode(): Promise<Node> {
  const directory = await dataDirectory();
  for (;;) {
    const [port, busPort] = [ownPort(), ownPort()];
    const place = ["--bind", "127.0.0.1", "--port", `${port}`, "--dir", directory, "--save", ""];
    const cluster = ["--cluster-enabled", "yes", "--cluster-port", `${busPort}`];
    const node = redisProcess([...place, ...cluster, "--cluster-node-timeout", `${NODE_TIMEOUT_MS}`]);
    const dispose = async () => await rm(directory, { recursive: true, force: true });
    if (await node.start().then(() => true, isTaken)) return { ...withClients(node, port, dispose), busPort };
  }
}

async function join(nodes: readonly Node[]): Promise<void> {
  const clients = nodes.map((node) => node.connect());
  const first = nodes[0];
  for (const [number, client] of clients.entries()) {
    const from = Math.floor((SLOTS * number) / nodes.length);
    const to = Math.floor((SLOTS * (number + 1)) / nodes.length) - 1;
    await client.call("cluster", ["addslotsrange", from, to]);
    if (first && number > 0) await client.call("cluster", ["meet", "127.0.0.1", first.port, first.busPort]);
  }
  for (const client of clients)
    await vi.waitFor(
      async () => {
        const state = String(await client.call("cluster", ["info"]));
        const isReady =
          state.includes("cluster_state:ok") && state.includes(`cluster_known_nodes:${nodes.length}`);
        if (!isReady) throw new Error(`The cluster is not ready:\n${state}`);
      },
      { timeout: PATIENCE_MS },
    );
  for (const client of clients) client.disconnect();
}
