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

/** The number of conversations on a page. */
const DEFAULT_PAGE = 100;
const MAX_PAGE = 1000;

const title = z.string().max(200);
const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
  cursor: z.string().min(1).max(200).optional(),
  query: z.string().max(200).optional(),
});
const toNext = z.object({
  link: z
    .string()
    .optional()
    .openapi({ description: "The address of the next page, if there is one (RFC 8288)." }),
});
const tags = ["conversations"];
const path = "/conversations/{conversation}";

export function conversationRoutes(router: ServerRouter, parts: ServerParts): void {
  const { conversations, agents, turns } = parts;
  endpoint(
    router,
    {
      ...{ method: "get", path: "/conversations", operationId: "listConversations", tags },
      summary: "Lists the user's conversations on pages, the newest change first.",
      request: { query: pageQuery },
      responses: {
        200: { ...jsonAnswer("A page of the conversations.", z.array(conversationSchema)), headers: toNext },
      },
    },
    async ({ user, query, signal }) => {
      const { page, next } = await conversations.page(user.id, query, { signal });
      if (next === undefined) return json(page);
      const rest = new URLSearchParams({ ...(query.query && { query: query.query }), cursor: next });
      return json(page, 200, { link: `<?limit=${query.limit}&${rest}>; rel="next"` });
    },
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
