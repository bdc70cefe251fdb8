import { z } from "@hono/zod-openapi";
import { SkillError } from "@skillwright/core";
import { untilAborted } from "@skillwright/core/adapter";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { closingProblem } from "../http/problem.js";
import type { ServerParts } from "../parts/server-parts.js";

const status = z.object({ status: z.literal("ok") });

/** Requests need no user, so the stores are checked at most once in this time. */
const ASK_AGAIN_MS = 1000;
/** The scope of no conversation, because no user has this name. */
const NOBODY = { app: "skillwright.ready", user: "nobody", session: "none" };
/** A store that cannot be reached may fail later than a health check waits. */
const ANSWER_MS = 5000;

/** Whether the process lives, and whether it can answer requests. Both need no user. */
export function healthRoutes(router: ServerRouter, parts: ServerParts): void {
  let asked: { readonly atMs: number; readonly works: Promise<void> } | undefined;

  async function works(): Promise<void> {
    const { conversations, artifacts, runtime } = parts;
    const all = Promise.all([runtime.capabilities(), conversations.check(), artifacts.list(NOBODY)]);
    const late = AbortSignal.timeout(ANSWER_MS);
    await untilAborted(all, late).catch((error: unknown) => {
      throw late.aborted ? noAnswer(error) : error;
    });
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

function noAnswer(cause: unknown): SkillError {
  return new SkillError(
    "BACKEND_FAILED",
    `The stores and the runtime did not answer within ${ANSWER_MS / 1000} s. Check that they can be reached.`,
    { cause },
  );
}
