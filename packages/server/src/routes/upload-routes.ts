import { z } from "@hono/zod-openapi";
import type { ByteStream } from "@skillwright/core";
import { whileItExists } from "../conversations/delete-conversation.js";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { limitedBody } from "../http/limited-body.js";
import { multipartFiles } from "../http/multipart-files.js";
import { bytesSchema, inConversation, uploadSchema } from "../http/schemas.js";
import type { ServerParts } from "../parts/server-parts.js";

/** Files of the user for the conversation's workspace. The next message tells the agent about them. */
export function uploadRoutes(router: ServerRouter, parts: ServerParts): void {
  const { conversations, agents, maxUploadBytes } = parts;
  endpoint(
    router,
    {
      ...{ method: "put", path: "/conversations/{conversation}/uploads/{name}" },
      ...{ operationId: "upload", tags: ["files"] },
      summary: "Stores the body as a file in the workspace, as it arrives. 413 above the server's limit.",
      request: {
        params: inConversation.extend({ name: z.string().min(1).max(255) }),
        body: { content: { "application/octet-stream": { schema: bytesSchema } } },
      },
      responses: { 201: jsonAnswer("The stored file.", uploadSchema) },
    },
    async ({ user, params: { conversation, name }, request, signal }) =>
      await whileItExists(parts, user.id, conversation, async (agent) => {
        const content = limitedBody(request, maxUploadBytes);
        const scope = conversations.scopeOf(user.id, conversation);
        return json(await agents.use(scope, agent, (one) => one.upload(name, content, { signal })), 201);
      }),
  );
  endpoint(
    router,
    {
      ...{ method: "post", path: "/conversations/{conversation}/uploads" },
      ...{ operationId: "uploadForm", tags: ["files"] },
      summary: "Stores the files of a form in the workspace, as they arrive. 413 above the server's limit.",
      request: { params: inConversation, body: { content: { "multipart/form-data": { schema: FORM } } } },
      responses: { 201: jsonAnswer("The stored files, in the order of the form.", z.array(uploadSchema)) },
    },
    async ({ user, params: { conversation }, request, signal }) =>
      await whileItExists(parts, user.id, conversation, async (agent) => {
        const scope = conversations.scopeOf(user.id, conversation);
        const upload = (name: string, content: ByteStream) =>
          agents.use(scope, agent, (one) => one.upload(name, content, { signal }));
        const stored = await multipartFiles(request, maxUploadBytes, upload);
        return json(stored, 201);
      }),
  );
}

/** No schema of zod, so that nothing but the handler reads the body. */
const FORM = {
  type: "object",
  properties: {
    file: { type: "array", items: { type: "string", contentMediaType: "application/octet-stream" } },
  },
};
