import { z } from "@hono/zod-openapi";
import { SkillError } from "@skillwright/core";
import { endpoint, json, jsonAnswer, type ServerRouter } from "../http/endpoint.js";
import { workspaceSchema } from "../http/schemas.js";
import type { ServedWorkspace } from "../parts/served-workspaces.js";
import type { ServerParts } from "../parts/server-parts.js";

const params = z.object({
  workspace: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 letters, digits, - and _"),
});
const tags = ["workspaces"];

/** The workspaces of the user's conversations. */
export function workspaceRoutes(router: ServerRouter, parts: ServerParts): void {
  const { workspaces, conversations } = parts;
  const listed = (user: string, signal: AbortSignal) =>
    workspaces.list(conversations.scopeOf(user, ""), { signal });
  const own = async (user: string, id: string, signal: AbortSignal): Promise<ServedWorkspace> => {
    const found = (await listed(user, signal)).find((one) => one.id === id);
    if (found) return found;
    throw new SkillError("WORKSPACE_NOT_FOUND", `You have no workspace "${id}". List your workspaces.`);
  };

  endpoint(
    router,
    {
      ...{ method: "get", path: "/workspaces", operationId: "listWorkspaces", tags },
      summary: "Lists the workspaces of the user's conversations, oldest first.",
      responses: { 200: jsonAnswer("The workspaces.", z.array(workspaceSchema)) },
    },
    async ({ user, signal }) => json(await listed(user.id, signal)),
  );
  endpoint(
    router,
    {
      ...{ method: "post", path: "/workspaces/{workspace}/pause", operationId: "pauseWorkspace", tags },
      summary: "Pauses a workspace until its next use. 422 where it is in use, or the runtime cannot.",
      request: { params },
      responses: { 200: jsonAnswer("The workspace.", workspaceSchema) },
    },
    async ({ user, params: { workspace }, signal }) => {
      await own(user.id, workspace, signal);
      if (!(await workspaces.pause(workspace, { signal }))) throw notPaused(workspace);
      return json(await own(user.id, workspace, signal));
    },
  );
  endpoint(
    router,
    {
      ...{ method: "delete", path: "/workspaces/{workspace}", operationId: "destroyWorkspace", tags },
      summary:
        "Destroys a workspace with its files and commands. The conversation gets a new one when it needs one.",
      request: { params },
      responses: { 204: { description: "It is destroyed." } },
    },
    async ({ user, params: { workspace }, signal }) => {
      await own(user.id, workspace, signal);
      await workspaces.manager.destroy(workspace);
      return new Response(null, { status: 204 });
    },
  );
}

function notPaused(id: string): SkillError {
  const message = `The workspace "${id}" cannot be paused: it is in use, or the runtime cannot pause. Destroy it, or leave it.`;
  return new SkillError("UNSUPPORTED", message);
}
