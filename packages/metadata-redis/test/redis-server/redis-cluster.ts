import { setTimeout as delay } from "node:timers/promises";
import { Cluster } from "ioredis";
import { freePort, type RedisServer, startRedis } from "./redis-server.js";

export interface RedisCluster {
  readonly nodes: readonly RedisServer[];
  /** A client of the cluster; disconnected when the cluster is stopped. */
  connect(): Cluster;
  stop(): Promise<void>;
}

const SLOTS = 16_384;

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

async function startNode(): Promise<RedisServer & { readonly busPort: number }> {
  let busPort = 0;
  const settings = async () => {
    busPort = await freePort();
    const cluster = ["--cluster-enabled", "yes", "--cluster-port", String(busPort)];
    return [...cluster, "--cluster-node-timeout", "2000"];
  };
  return { ...(await startRedis({ settings })), busPort };
}

async function join(nodes: readonly Awaited<ReturnType<typeof startNode>>[]): Promise<void> {
  const clients = nodes.map((node) => node.connect());
  const first = nodes[0];
  for (const [number, client] of clients.entries()) {
    const from = Math.floor((SLOTS * number) / nodes.length);
    const to = Math.floor((SLOTS * (number + 1)) / nodes.length) - 1;
    await client.call("cluster", ["addslotsrange", from, to]);
    if (first && number > 0) await client.call("cluster", ["meet", "127.0.0.1", first.port, first.busPort]);
  }
  const until = performance.now() + 20_000;
  for (const client of clients)
    for (;;) {
      const state = String(await client.call("cluster", ["info"]));
      if (state.includes("cluster_state:ok") && state.includes(`cluster_known_nodes:${nodes.length}`)) break;
      if (performance.now() > until) throw new Error(`The cluster was not ready in 20 s:\n${state}`);
      await delay(50);
    }
  for (const client of clients) client.disconnect();
}
