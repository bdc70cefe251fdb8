import type { Redis } from "ioredis";
import type { RedisClient } from "./redis-place.js";

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2000;
/** A connection that was lost without a word, as by a router, is found out by its silence. */
const ASKED_EVERY_MS = 10_000;

export interface ChannelListener {
  message(text: string): void;
  /** The connection was lost and is there again; what was sent meanwhile is gone. */
  back(): void;
}

/**
 * Listens on a channel over a connection of its own, which is opened again whenever it is lost, in a Cluster to any node.
 * Settles when the server has taken the subscription. Give it up with the function it resolves to.
 */
export async function listen(
  client: RedisClient,
  channel: string,
  listener: ChannelListener,
  askedEveryMs = ASKED_EVERY_MS,
): Promise<() => void> {
  let connection: Redis | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    const opened = await newConnection(client, askedEveryMs);
    // An error that nobody listens to is printed; what it leads to is the end of the connection.
    opened.on("error", () => undefined);
    opened.on("message", (_channel: string, text: string) => {
      if (!isClosed) listener.message(text);
    });
    try {
      await opened.connect();
      await opened.subscribe(channel);
      // It may have been lost between the answer and now.
      if (opened.status !== "ready") throw new Error("Connection is closed.");
    } catch (error) {
      opened.disconnect();
      throw error;
    }
    if (isClosed) return opened.disconnect();
    connection = opened;
    const asking = setInterval(() => {
      opened.ping().catch(() => {
        clearInterval(asking);
        opened.disconnect();
      });
    }, askedEveryMs);
    opened.once("end", () => {
      clearInterval(asking);
      again(FIRST_DELAY_MS);
    });
  }

  function again(delayMs: number): void {
    if (isClosed) return;
    timer = setTimeout(() => {
      connect().then(
        () => {
          if (!isClosed) listener.back();
        },
        () => again(Math.min(delayMs * 2, LONGEST_DELAY_MS)),
      );
    }, delayMs);
  }

  await connect();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    connection?.disconnect();
  };
}

/** Reconnecting is left to `listen`, which may choose another node and has to know of it. */
async function newConnection(client: RedisClient, commandTimeout: number): Promise<Redis> {
  const settings = {
    lazyConnect: true,
    retryStrategy: null,
    enableReadyCheck: true,
    readOnly: false,
    commandTimeout,
  } as const;
  if (!("nodes" in client)) return client.duplicate(settings);
  // A Cluster knows its nodes once it has answered anything.
  if (client.nodes().length === 0) await client.ping();
  const nodes = client.nodes();
  const node = nodes[Math.floor(Math.random() * nodes.length)];
  if (!node) throw new Error("Connection is closed: the Cluster has no node.");
  return node.duplicate(settings);
}
