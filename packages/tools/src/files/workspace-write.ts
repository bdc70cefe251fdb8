import type { SkillTool, Workspaces } from "@skillwright/core";
import { z } from "zod";
import { defineTool } from "../define-tool.js";
import { requiredText } from "../input/text-fields.js";
import type { WritePermission } from "../permission/write-permission.js";

const inputSchema = () =>
  z.strictObject({
    path: requiredText("Path below work/ or out/, such as work/inputs/notes.md."),
    content: z.string().describe("The whole text."),
  });

/** Writes one text file below `work/` or `out/` of the session's workspace, replacing an existing one. */
export function workspaceWriteTool(workspaces: Workspaces, permission: WritePermission): SkillTool {
  return defineTool({
    name: "workspace_write",
    description: "Writes a text file into the workspace, replacing what is there.",
    parallel: false,
    repeatable: true,
    input: inputSchema,
    async run({ path, content }, context) {
      const { session, signal, onEvent } = context;
      await permission.check(path, content, context);
      const { id } = await workspaces.forSession(session, { signal, onEvent });
      const file = await workspaces.write(id, path, content, { signal });
      return { output: { path: file.path, size_bytes: file.size, mime_type: file.mimeType } };
    },
  });
}
