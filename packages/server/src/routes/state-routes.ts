import { z } from "@hono/zod-openapi";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { activeTurnSchema, conversationId } from "../http/schemas.js";
import type { ServerParts } from "../parts/server-parts.js";

const server = z
  .object({ user: z.string(), maxUploadBytes: z.int(), isDraining: z.boolean() })
  .openapi("Server");

/** What a client needs to know of the server and of what runs now. */
export function stateRoutes(router: ServerRouter, parts: ServerParts): void {
  const { conversations, turns, draining, maxUploadBytes } = parts;
  endpoint(
    router,
    {
      ...{ method: "get", path: "/server", operationId: "getServer", tags: ["server"] },
      summary: "Tells who the user is, the largest upload, and whether the server is being closed.",
      responses: { 200: jsonAnswer("The server.", server) },
    },
    ({ user }) => json({ user: user.id, maxUploadBytes, isDraining: draining.isDraining() }),
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: "/turns", operationId: "listTurns", tags: ["turns"] },
      summary: "Lists the active turns of the user's conversations.",
      responses: {
        200: jsonAnswer(
          "The turns, oldest first.",
          z.array(activeTurnSchema.extend({ conversation: conversationId })),
        ),
      },
    },
    async ({ user, signal }) => {
      const all = await conversations.list(user.id, { signal });
      const found = await Promise.all(
        all.map(async ({ id }) => {
          const active = await turns.active(conversations.scopeOf(user.id, id), { signal });
          return active && { conversation: id, id: active.turn, startedAt: active.startedAt };
        }),
      );
      return json(
        found.filter((one) => one !== undefined).sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1)),
      );
    },
  );
}
