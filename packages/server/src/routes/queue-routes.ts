import { z } from "@hono/zod-openapi";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { problemResponse } from "../http/problem.js";
import { conversationId, inConversation, inTurn, messageSchema } from "../http/schemas.js";
import type { ServerParts } from "../parts/server-parts.js";

const path = "/conversations/{conversation}";
const tags = ["turns"];

/** Messages that wait for the end of a turn. */
export function queueRoutes(router: ServerRouter, { conversations, turns }: ServerParts): void {
  endpoint(
    router,
    {
      ...{ method: "get", path: `${path}/turns`, operationId: "listQueue", tags },
      summary: "The active turn, and the messages that wait for its end, oldest first.",
      request: { params: inConversation },
      responses: {
        200: jsonAnswer(
          "`active` is missing where no turn is active.",
          z.object({
            active: conversationId.optional(),
            queued: z.array(z.object({ turn: conversationId, message: messageSchema })),
          }),
        ),
      },
    },
    async ({ user, params, signal }) => {
      const queued = await conversations.queue.list(user.id, params.conversation, { signal });
      const active = await turns.active(conversations.scopeOf(user.id, params.conversation), { signal });
      return json({ active: active?.turn, queued });
    },
  );
  endpoint(
    router,
    {
      ...{ method: "delete", path: `${path}/turns/{turn}`, operationId: "unqueueTurn", tags },
      summary: "Takes back a message that waits. 404 where it does not wait any more.",
      request: { params: inTurn },
      responses: { 204: { description: "It will start no turn." } },
    },
    async ({ user, params }) => {
      if (await conversations.queue.remove(user.id, params.conversation, params.turn))
        return new Response(null, { status: 204 });
      return problemResponse("NOT_FOUND", `No message waits for the turn "${params.turn}".`);
    },
  );
}
