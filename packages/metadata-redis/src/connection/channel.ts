import type { Redis } from "ioredis";
import type { RedisClient } from "./redis-place.js";

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 2000;
/** A connection that was lost silently, for example by a router, is detected by its missing answers. */
const ASKED_EVERY_MS = 10_000;

export interface ChannelListener {
  message(text: string): void;
  /** Called when a lost connection was restored; messages sent meanwhile are lost. */
  back(): void;
}

interface ListenOptions {
  readonly askedEveryMs?: number | undefined;
  /** True where listening alone must not keep the process alive. */
  readonly isBackground?: boolean | undefined;
}

/**
 * Subscribes to a channel over a separate connection, which is reopened whenever it is lost, in a Cluster to any node.
 * Settles when the server has confirmed the subscription. Call the function it resolves to in order to unsubscribe.
 */
export async function listen(
  client: RedisClient,
  channel: string,
  listener: ChannelListener,
  { askedEveryMs = ASKED_EVERY_MS, isBackground = false }: ListenOptions = {},
): Promise<() => void> {
  let connection: Redis | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    const opened = await newConnection(client, askedEveryMs);
    // An unhandled error event would be printed; its effect is the end of the connection.
    opened.on("error", () => undefined);
    opened.on("message", (_channel: string, text: string) => {
      if (!isClosed) listener.message(text);
    });
    try {
      await opened.connect();
      await opened.subscribe(channel);
      // The connection may have been lost since the answer.
      if (opened.status !== "ready") throw new Error("Connection is closed.");
    } catch (error) {
      opened.disconnect();
      throw error;
    }
    if (isClosed) return opened.disconnect();
    connection = opened;
    if (isBackground) opened.stream.unref();
    const asking = setInterval(() => {
      opened.ping().catch(() => {
        clearInterval(asking);
        opened.disconnect();
      });
    }, askedEveryMs);
    if (isBackground) asking.unref();
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
    if (isBackground) timer.unref();
  }

  await connect();
  return () => {
    isClosed = true;
    clearTimeout(timer);
    connection?.disconnect();
  };
}

/** Reconnecting is left to `listen`, which may choose another node and must be notified. */
async function newConnection(client: RedisClient, commandTimeout: number): Promise<Redis> {
  const settings = {
    lazyConnect: true,
    retryStrategy: null,
    enableReadyCheck: true,
    readOnly: false,
    commandTimeout,
  } as const;
  if (!("nodes" in client)) return client.duplicate(settings);
  // A Cluster client knows its nodes only after its first answer.
  if (client.nodes().length === 0) await client.ping();
  const nodes = client.nodes();
  const node = nodes[Math.floor(Math.random() * nodes.length)];
  if (!node) throw new Error("Connection is closed: the Cluster has no node.");
  return node.duplicate(settings);
}
