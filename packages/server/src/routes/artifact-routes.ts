import { z } from "@hono/zod-openapi";
import { zipFiles } from "@skillwright/archive";
import type { ArtifactVersion, SessionScope } from "@skillwright/core";
import { archiveNames } from "../http/archive-names.js";
import { download, partAnswer, zipAnswer } from "../http/download.js";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { artifactSchema, inConversation } from "../http/schemas.js";
import type { ServerParts } from "../parts/server-parts.js";

const path = "/conversations/{conversation}/artifacts";
const named = z.object({ name: z.string().min(1).max(1024) });
const version = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional();
const tags = ["artifacts"];

/** Saved outputs of the conversation, with versions from 0. */
export function artifactRoutes(router: ServerRouter, { conversations, artifacts }: ServerParts): void {
  const scopeOf = async (user: string, conversation: string, signal: AbortSignal): Promise<SessionScope> => {
    await conversations.get(user, conversation, { signal });
    return conversations.scopeOf(user, conversation);
  };

  endpoint(
    router,
    {
      ...{ method: "get", path, operationId: "listArtifacts", tags },
      summary: "Lists the newest version of each artifact.",
      request: { params: inConversation },
      responses: { 200: jsonAnswer("The artifacts, sorted by name.", z.array(artifactSchema)) },
    },
    async ({ user, params, signal }) => {
      const scope = await scopeOf(user.id, params.conversation, signal);
      return json((await artifacts.list(scope, { signal })).map(shown));
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: `${path}/versions`, operationId: "listArtifactVersions", tags },
      request: { params: inConversation, query: named },
      responses: { 200: jsonAnswer("All versions, oldest first.", z.array(artifactSchema)) },
    },
    async ({ user, params, query, signal }) => {
      const scope = await scopeOf(user.id, params.conversation, signal);
      return json((await artifacts.versions(scope, query.name, { signal })).map(shown));
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: `${path}/content`, operationId: "downloadArtifact", tags },
      summary: "Downloads a version, by default the newest, or one range of its bytes.",
      request: {
        ...{ params: inConversation, query: named.extend({ version }) },
        headers: z.object({ range: z.string().max(1000).optional() }),
      },
      responses: partAnswer,
    },
    async ({ user, params, query, headers, signal }) => {
      const scope = await scopeOf(user.id, params.conversation, signal);
      const { artifact, content } = await artifacts.open(scope, query.name, {
        version: query.version,
        signal,
      });
      return download(content, artifact, headers.range);
    },
  );
  endpoint(
    router,
    {
      ...{ method: "get", path: `${path}/zip`, operationId: "downloadArtifacts", tags },
      summary: "Downloads the newest version of each artifact in one zip archive.",
      request: { params: inConversation },
      responses: zipAnswer,
    },
    async ({ user, params, signal }) => {
      const scope = await scopeOf(user.id, params.conversation, signal);
      const listed = await artifacts.list(scope, { signal });
      const paths = archiveNames(listed.map(({ name }) => name));
      const files = listed.map((one) => ({
        path: paths.get(one.name) ?? one.name,
        open: async () => (await artifacts.open(scope, one.name, { version: one.version, signal })).content,
      }));
      return download(zipFiles(files), { name: `${params.conversation}.zip`, mimeType: "application/zip" });
    },
  );
}

/** Without the place where the server keeps it. */
function shown({ name, version, size, mimeType, sha256, createdAt, metadata }: ArtifactVersion) {
  return { name, version, size, mimeType, sha256, createdAt, metadata };
}
