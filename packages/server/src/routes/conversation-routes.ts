import { z } from "@hono/zod-openapi";
import { deleteConversation } from "../conversations/delete-conversation.js";
import { endpoint, json, jsonAnswer, jsonBody, type ServerRouter } from "../http/endpoint.js";
import {
  activeTurnSchema,
  conversationId,
  conversationSchema,
  inConversation,
  messageSchema,
} from "../http/schemas.js";
import type { ServerParts } from "../parts/server-parts.js";

const title = z.string().max(200);
const tags = ["conversations"];
const path = "/conversations/{conversation}";

export function conversationRoutes(router: ServerRouter, parts: ServerParts): void {
  const { conversations, agents, turns } = parts;
  endpoint(
    router,
    {
      ...{ method: "get", path: "/conversations", operationId: "listConversations", tags },
      summary: "Lists the user's conversations, the newest change first.",
      responses: { 200: jsonAnswer("The conversations.", z.array(conversationSchema)) },
    },
    async ({ user, signal }) => json(await conversations.list(user.id, { signal })),
  );
  endpoint(
    router,
    {
      ...{ method: "post", path: "/conversations", operationId: "createConversation", tags },
      summary: "Creates a conversation. Without an id it gets a random one.",
      request: {
        body: {
          ...jsonBody(
            z.strictObject({
              id: conversationId.optional(),
              agent: z.string().max(128).optional(),
              title: title.optional(),
            }),
          ),
          required: false,
        },
      },
      responses: { 201: jsonAnswer("The new conversation.", conversationSchema) },
    },
    async ({ user, body, signal }) => {
      const wanted = { ...body, agent: agents.named(body.agent) };
      return json(await conversations.create(user.id, wanted, { signal }), 201);
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path, operationId: "getConversation", tags },
      summary: "Returns the conversation, with its active turn.",
      request: { params: inConversation },
      responses: {
        200: jsonAnswer(
          "The conversation.",
          conversationSchema.extend({ turn: activeTurnSchema.optional() }),
        ),
      },
    },
    async ({ user, params, signal }) => {
      const conversation = await conversations.get(user.id, params.conversation, { signal });
      const active = await turns.active(conversations.scopeOf(user.id, params.conversation), { signal });
      return json({ ...conversation, turn: active && { id: active.turn, startedAt: active.startedAt } });
    },
  );
  endpoint(
    router,
    {
      ...{ method: "patch", path, operationId: "renameConversation", tags },
      request: { params: inConversation, body: jsonBody(z.strictObject({ title })) },
      responses: { 200: jsonAnswer("The renamed conversation.", conversationSchema) },
    },
    async ({ user, params, body }) =>
      json(await conversations.rename(user.id, params.conversation, body.title)),
  );
  endpoint(
    router,
    {
      ...{ method: "delete", path, operationId: "deleteConversation", tags },
      summary: "Stops its turn and removes its messages, events, uploads and workspace.",
      request: { params: inConversation },
      responses: { 204: { description: "It is deleted." } },
    },
    async ({ user, params }) => {
      await deleteConversation(parts, user.id, params.conversation);
      return new Response(null, { status: 204 });
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: `${path}/messages`, operationId: "listMessages", tags },
      summary: "Returns the history as messages of the AI SDK, without the answer of an active turn.",
      request: { params: inConversation },
      responses: { 200: jsonAnswer("The messages, oldest first.", z.array(messageSchema)) },
    },
    async ({ user, params, signal }) =>
      json(await conversations.messages(user.id, params.conversation, { signal })),
  );
}
