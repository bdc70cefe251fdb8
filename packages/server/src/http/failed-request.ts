import type { Context } from "hono";
import { requestOf } from "../log/log-requests.js";
import type { ServerLog } from "../log/server-log.js";
import type { ServerEnv } from "./endpoint.js";
import { isServerFailure, problemOf } from "./problem.js";

/** Returns the answer for a thrown error, and logs the error unless it is the client's mistake. */
export function failedAnswer(err: unknown, c: Context<ServerEnv>, log: ServerLog): Response {
  if (!isServerFailure(err)) return problemOf(err);
  const requestId = c.get("requestId");
  const request = requestOf(c);
  log.error({ requestId, ...request, err }, `${request.method} ${request.route} failed`);
  return problemOf(err, requestId);
}
