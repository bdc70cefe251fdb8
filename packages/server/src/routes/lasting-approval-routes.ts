import { z } from "@hono/zod-openapi";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { problemResponse } from "../http/problem.js";
import type { ServerParts } from "../parts/server-parts.js";

const tags = ["approvals"];
const lastingSchema = z
  .object({
    id: z.string(),
    covers: z.enum(["digest", "source"]),
    action: z.string(),
    skill: z.string().optional(),
    source: z.string().optional(),
    at: z.iso.datetime(),
  })
  .openapi("LastingApproval");

/** Approvals of the user that cover further calls. */
export function lastingApprovalRoutes(router: ServerRouter, parts: ServerParts): void {
  const { conversations, approvals } = parts;
  const ownerOf = (user: string) => ({ app: conversations.scopeOf(user, "").app, user });
  endpoint(
    router,
    {
      ...{ method: "get", path: "/lasting-approvals", operationId: "listLastingApprovals", tags },
      summary: "Lists the user's approvals that cover further calls, oldest first.",
      responses: { 200: jsonAnswer("The approvals.", z.array(lastingSchema)) },
    },
    async ({ user, signal }) => json((await approvals?.lasting(ownerOf(user.id), { signal })) ?? []),
  );
  endpoint(
    router,
    {
      ...{ method: "delete", path: "/lasting-approvals/{approval}" },
      ...{ operationId: "revokeApproval", tags },
      summary: "Takes an approval back: the next call asks again. What runs already goes on.",
      request: { params: z.object({ approval: z.string().min(1).max(64) }) },
      responses: { 204: { description: "It does not count any more." } },
    },
    async ({ user, params, signal }) => {
      const exists = await approvals?.revoke(ownerOf(user.id), params.approval, { signal });
      if (!exists) return problemResponse("NOT_FOUND", `You have no lasting approval "${params.approval}".`);
      return new Response(null, { status: 204 });
    },
  );
}
