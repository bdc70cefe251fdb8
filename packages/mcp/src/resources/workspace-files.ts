import { posix } from "node:path";
import { type McpServer, type ReadResourceResult, ResourceTemplate } from "@modelcontextprotocol/server";
import { SkillError, type WorkspaceFile } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import type { HostSession } from "../session/host-session.js";
import { fileContent } from "./file-content.js";
import { toProtocolError } from "./protocol-error.js";
import { WORKSPACE_URIS, workspacePath, workspaceUri } from "./workspace-uri.js";

/** The number of files in `resources/list`: the newest ones. Other files can be read by their path. */
const MAX_LISTED = 500;

/** Lists the outputs and inputs of the session's workspace as resources. Its other files can be read by their path. */
export function offerWorkspaceFiles(server: McpServer, session: HostSession): void {
  const { workspaces } = session;
  if (!workspaces) return;

  async function list(signal: AbortSignal) {
    const id = session.workspace();
    if (!workspaces || id === undefined) return { resources: [] };
    const files = (await workspaces.files(id, undefined, { signal })).filter(isOfPerson);
    const newest = [...files].sort((a, b) => b.modifiedMs - a.modifiedMs).slice(0, MAX_LISTED);
    return { resources: newest.map(resourceOf) };
  }

  async function read(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    const path = workspacePath(uri);
    const id = session.workspace();
    if (!workspaces || id === undefined) throw nothingYet(path);
    const content = await workspaces.download(id, path, { signal });
    // The file was found already. The list only gives its type, and a general type is used without it.
    const beside = await workspaces.files(id, posix.dirname(path), { signal }).catch(() => []);
    const mimeType = beside.find((file) => file.path === path)?.mimeType ?? "application/octet-stream";
    return await fileContent(
      uri,
      mimeType,
      content,
      "Read it in parts with workspace_read, or use a command.",
    );
  }

  server.registerResource(
    "workspace",
    new ResourceTemplate(`${WORKSPACE_URIS}{+path}`, {
      list: ({ mcpReq: { signal } }) => list(signal).catch(toProtocolError("workspace")),
    }),
    {},
    ({ href }, _variables, { mcpReq: { signal } }) => read(href, signal).catch(toProtocolError(href)),
  );
}

function isOfPerson({ path }: WorkspaceFile): boolean {
  return path.startsWith("out/") || path.startsWith("work/inputs/");
}

function resourceOf({ path, size, mimeType, modifiedMs }: WorkspaceFile) {
  const lastModified = new Date(modifiedMs).toISOString();
  return { uri: workspaceUri(path), name: shownLine(path), size, mimeType, annotations: { lastModified } };
}

function nothingYet(path: string): SkillError {
  return new SkillError(
    "FILE_NOT_FOUND",
    `There is no file ${JSON.stringify(path.slice(0, 200))}: this client has no workspace yet. Call skill_run or workspace_write first.`,
  );
}
