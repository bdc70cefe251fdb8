import { z } from "@hono/zod-openapi";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { closingProblem } from "../http/problem.js";
import type { ServerParts } from "../parts/server-parts.js";

const status = z.object({ status: z.literal("ok") });

/** Requests need no user, so the stores are checked at most once in this time. */
const ASK_AGAIN_MS = 1000;

/** Whether the process lives, and whether it can answer requests. Both need no user. */
export function healthRoutes(router: ServerRouter, parts: ServerParts): void {
  let asked: { readonly atMs: number; readonly works: Promise<void> } | undefined;

  async function works(): Promise<void> {
    const { conversations, turns, artifacts, runtime } = parts;
    await runtime.capabilities();
    await conversations.check();
    await turns.active(conversations.nobody);
    await artifacts.list(conversations.nobody);
  }

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
    async () => {
      if (parts.draining.isDraining()) return closingProblem();
      const nowMs = performance.now();
      if (!asked || nowMs - asked.atMs > ASK_AGAIN_MS) asked = { atMs: nowMs, works: works() };
      await asked.works;
      return json({ status: "ok" });
    },
  );
}
