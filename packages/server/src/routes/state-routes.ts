import { z } from "@hono/zod-openapi";
import type { Diagnostic } from "@skillwright/core";
import { namesPlace } from "../http/client-text.js";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { activeTurnSchema, conversationId, diagnosticSchema } from "../http/schemas.js";
import type { ServerParts } from "../parts/server-parts.js";

const server = z
  .object({ user: z.string(), maxUploadBytes: z.int(), isDraining: z.boolean() })
  .openapi("Server");

const runtimeState = z
  .object({
    label: z.string(),
    isolation: z.object({ level: z.enum(["none", "namespace", "container", "gvisor"]), by: z.string() }),
    diagnostics: z.array(diagnosticSchema),
  })
  .openapi("Runtime");

/** What a client needs to know of the server and of what runs now. */
export function stateRoutes(router: ServerRouter, parts: ServerParts): void {
  const { conversations, turns, draining, maxUploadBytes, runtime } = parts;
  // The local user is the operator. Users of a server with `authenticate` are not told places on its disk.
  const mayBeTold = ({ message, hint }: Diagnostic) =>
    parts.token !== undefined || !namesPlace(`${message} ${hint}`);
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
      ...{ method: "get", path: "/runtime", operationId: "getRuntime", tags: ["server"] },
      summary: "Tells how commands are isolated, and which promises do not hold on this server.",
      responses: { 200: jsonAnswer("The runtime.", runtimeState) },
    },
    async ({ signal }) => {
      const { isolation, diagnostics = [] } = await runtime.capabilities({ signal });
      return json({ label: runtime.label, isolation, diagnostics: diagnostics.filter(mayBeTold) });
    },
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
