import { randomUUID } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { ServerEnv } from "../http/endpoint.js";
import { loggedUser, type ServerLog } from "./server-log.js";

/** Gives each request an id, adds it to the answer as the header `x-request-id`, and logs the request when the answer begins. */
export function logRequests(log: ServerLog): MiddlewareHandler<ServerEnv> {
  return async (c, next) => {
    const beganMs = performance.now();
    const requestId = randomUUID();
    c.set("requestId", requestId);
    await next();
    c.res.headers.set("x-request-id", requestId);
    const { status } = c.res;
    const request = { requestId, ...requestOf(c) };
    const ms = Math.round(performance.now() - beganMs);
    // A load balancer probes the server every few seconds for ever.
    const level = PROBES.test(request.route) ? "debug" : "info";
    log[level]({ ...request, status, ms }, `${request.method} ${request.route} ${status}`);
  };
}

/** Returns what a log tells of a request. The route stands for the address, which may have names of files. */
export function requestOf(c: Context<ServerEnv>) {
  const routes = matchedRoutes(c).map(({ path }) => path.replace(/:(\w+)/g, "{$1}"));
  const user = c.get("user");
  return {
    method: c.req.method,
    route: routes.findLast((path) => !path.endsWith("/*")) ?? "unknown path",
    conversation: c.req.param("conversation") as string | undefined,
    user: user && loggedUser(user.id),
  };
}

const PROBES = /\/(health|ready)$/;
