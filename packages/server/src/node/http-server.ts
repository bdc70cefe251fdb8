import { createServer, type Server } from "node:http";
import type { AgentServer } from "../server-options.js";
import { nodeHandler } from "./node-handler.js";
import { refuseUnreadable } from "./refuse-unreadable.js";

const HEADERS_MS = 15_000;
const IDLE_MS = 60_000;
/** How often Node looks for late headers. By default it looks every 30 s, so that headers could take up to 45 s. */
const LOOK_MS = 1000;

/**
 * Creates Node's HTTP server for the agent server. It closes connections whose headers take more than 15 s (408) and those
 * on which nothing moves for `idleMs` (60 s). An upload may take as long as it moves.
 */
export function httpServer(
  server: Pick<AgentServer, "fetch">,
  { idleMs = IDLE_MS }: { readonly idleMs?: number | undefined } = {},
): Server {
  const limits = { headersTimeout: HEADERS_MS, requestTimeout: 0, connectionsCheckingInterval: LOOK_MS };
  const http = createServer(limits, nodeHandler(server));
  http.timeout = idleMs;
  refuseUnreadable(http);
  return http;
}
