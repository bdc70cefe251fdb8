import { z } from "@hono/zod-openapi";
import { SkillError } from "@skillwright/core";
import { download, downloadAnswer } from "../http/download.js";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { fileSchema, inConversation } from "../http/schemas.js";
import { textStart } from "../http/text-start.js";
import type { ServerParts } from "../parts/server-parts.js";

const path = "/conversations/{conversation}/files";
const named = z.object({ path: z.string().min(1).max(4096) });
const tags = ["files"];

/** Files of the conversation's workspace. */
export function fileRoutes(router: ServerRouter, { conversations, workspaces }: ServerParts): void {
  const { manager } = workspaces;
  const workspaceOf = async (user: string, conversation: string, signal: AbortSignal) => {
    await conversations.get(user, conversation, { signal });
    return await workspaces.find(conversations.scopeOf(user, conversation), { signal });
  };
  const opened = async (id: string | undefined, file: string, signal: AbortSignal) => {
    if (id === undefined) throw noWorkspace(file);
    return await manager.download(id, file, { signal });
  };

  endpoint(
    router,
    {
      ...{ method: "get", path, operationId: "listFiles", tags },
      summary: "Lists the files below a folder of the workspace; without one, uploads and outputs.",
      request: { params: inConversation, query: z.object({ under: z.string().max(4096).optional() }) },
      responses: { 200: jsonAnswer("The files, sorted by path.", z.array(fileSchema)) },
    },
    async ({ user, params, query, signal }) => {
      const id = await workspaceOf(user.id, params.conversation, signal);
      return json(id === undefined ? [] : await manager.files(id, query.under, { signal }));
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: `${path}/text`, operationId: "readFile", tags },
      summary: "Returns the beginning of a file as text.",
      request: {
        params: inConversation,
        query: named.extend({
          maxBytes: z.coerce
            .number()
            .int()
            .min(1)
            .max(1024 * 1024)
            .default(64 * 1024),
        }),
      },
      responses: {
        200: jsonAnswer("The text.", z.object({ text: z.string(), truncated: z.boolean() })),
      },
    },
    async ({ user, params, query, signal }) => {
      const id = await workspaceOf(user.id, params.conversation, signal);
      return json(await textStart(await opened(id, query.path, signal), query.maxBytes));
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: `${path}/content`, operationId: "downloadFile", tags },
      request: { params: inConversation, query: named },
      responses: downloadAnswer,
    },
    async ({ user, params, query, signal }) => {
      const id = await workspaceOf(user.id, params.conversation, signal);
      const content = await opened(id, query.path, signal);
      return download(content, { name: query.path, mimeType: "application/octet-stream" });
    },
  );
}

function noWorkspace(path: string): SkillError {
  const message = `There is no file ${JSON.stringify(path)}: this conversation has no workspace yet. Upload a file, or start a turn.`;
  return new SkillError("FILE_NOT_FOUND", message);
}
