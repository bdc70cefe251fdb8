import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { SkillError } from "@skillwright/core";
import type { AgentServer } from "../server-options.js";
import { httpServer } from "./http-server.js";
import { isLoopback } from "./is-loopback.js";

export interface ListenOptions {
  /** 0 for any free one. Defaults to 8787. */
  readonly port?: number | undefined;
  /** The name or address to listen at. Defaults to 127.0.0.1. */
  readonly host?: string | undefined;
  /**
   * A connection on which nothing moves for so long is closed: the client neither sends nor reads. Streams that wait are
   * not affected. Defaults to 60 s.
   */
  readonly idleMs?: number | undefined;
}

export interface ListeningServer {
  /** Origin of the server: `http://127.0.0.1:8787`. */
  readonly address: string;
  /**
   * Takes no new turns, lets running ones end for at most `drainMs` (10 s), stops the rest, closes streams and then the
   * agent server. Resolves when every connection is closed; clients that do not read have 5 s.
   */
  close(options?: { readonly drainMs?: number | undefined }): Promise<void>;
}

/**
 * Serves an agent server with Node's HTTP server.
 * @throws SkillError `CONFIG_INVALID` for a host that others can reach while the server has only its local user, and for
 * an address that cannot be used.
 */
export async function listen(server: AgentServer, options: ListenOptions = {}): Promise<ListeningServer> {
  const { port = 8787, host = "127.0.0.1" } = options;
  if (!Number.isInteger(port)) throw noPort(port);
  if (server.token !== undefined && !isLoopback(host)) throw withoutUsers(host);
  const http = httpServer(server, options);
  const address = await opened(http, host, port);
  let closing: Promise<void> | undefined;

  async function closeAll(drainMs: number): Promise<void> {
    await server.drain({ forMs: drainMs });
    await server.close();
    await closed(http);
  }

  return { address, close: ({ drainMs = 10_000 } = {}) => (closing ??= closeAll(drainMs)) };
}

const SLOW_READERS_MS = 5000;

async function opened(http: Server, host: string, port: number): Promise<string> {
  try {
    http.listen(port, host);
    await once(http, "listening");
  } catch (error) {
    throw new SkillError(
      "CONFIG_INVALID",
      `The server cannot listen at ${host}, port ${port}: ${(error as Error).message.replace(/\.+$/, "")}. Choose another port or host.`,
      { cause: error },
    );
  }
  const { address, family, port: taken } = http.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
}

async function closed(http: Server): Promise<void> {
  const gone = once(http, "close");
  http.close();
  // A connection is idle once its last answer was read.
  const idle = setInterval(() => http.closeIdleConnections(), 50);
  const slow = setTimeout(() => http.closeAllConnections(), SLOW_READERS_MS);
  await gone;
  clearInterval(idle);
  clearTimeout(slow);
}

/** Node takes a text for the path of a socket. */
function noPort(port: unknown): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The port ${JSON.stringify(port)} is no whole number. Give one from 1 to 65535, or 0 for any free one.`,
  );
}

function withoutUsers(host: string): SkillError {
  return new SkillError(
    "CONFIG_INVALID",
    `The server has only its local user, so that it listens at this machine only, and ${JSON.stringify(host)} may be reached by others. Listen at 127.0.0.1, or give the server users: an \`authenticate\`, or \`--issuer\` on the command line.`,
    { details: { host } },
  );
}
