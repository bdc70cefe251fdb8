import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { problemResponse } from "../http/problem.js";
import type { AgentServer } from "../server-options.js";
import { lastAnswer } from "./last-answer.js";

/**
 * A handler of Node's HTTP requests, for Express, Fastify and others. Mount it before anything that reads bodies. As in
 * every server of `@hono/node-server`, the global `Request` and `Response` are replaced by faster ones. An answer that refuses a
 * request before its body has arrived has the header `connection: close`.
 */
export function nodeHandler(
  server: Pick<AgentServer, "fetch">,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return getRequestListener(
    async (request, { incoming }) =>
      lastAnswer(await server.fetch(request), incoming as HttpBindings["incoming"]),
    // `server.fetch` never rejects, so the only error is an address of which no request can be made.
    { errorHandler: () => problemResponse("INPUT_INVALID", NO_ADDRESS) },
  );
}

const NO_ADDRESS =
  "The address of this request cannot be read. Send one path, and one header Host without user and password.";
