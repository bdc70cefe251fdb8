import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { AgentServer } from "../server-options.js";

/**
 * A handler of Node's HTTP requests, for Express, Fastify and others. Mount it before anything that reads bodies. As in
 * every server of `@hono/node-server`, the global `Request` and `Response` become faster ones.
 */
export function nodeHandler(
  server: Pick<AgentServer, "fetch">,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return getRequestListener((request) => server.fetch(request));
}
