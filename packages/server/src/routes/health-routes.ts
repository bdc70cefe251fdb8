import { z } from "@hono/zod-openapi";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { closingProblem } from "../http/problem.js";
import type { ServerParts } from "../parts/server-parts.js";

const status = z.object({ status: z.literal("ok") });

/** Whether the process lives, and whether it can answer requests. Both need no user. */
export function healthRoutes(router: ServerRouter, parts: ServerParts): void {
  endpoint(
    router,
    {
      ...{ method: "get", path: "/health", operationId: "health", tags: ["server"], security: [] },
      summary: "Tells that the process answers.",
      responses: { 200: jsonAnswer("It does.", status) },
    },
    () => json({ status: "ok" }),
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: "/ready", operationId: "ready", tags: ["server"], security: [] },
      summary: "Tells whether stores and runtime work and new turns are accepted; 503 otherwise.",
      responses: { 200: jsonAnswer("They do.", status) },
    },
    async ({ signal }) => {
      if (parts.draining.isDraining()) return closingProblem();
      const { conversations, turns, artifacts, runtime } = parts;
      await runtime.capabilities({ signal });
      await conversations.check({ signal });
      await turns.active(conversations.nobody, { signal });
      await artifacts.list(conversations.nobody, { signal });
      return json({ status: "ok" });
    },
  );
}
