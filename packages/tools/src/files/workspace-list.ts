import type { SkillTool, Workspaces } from "@skillwright/core";
import { z } from "zod";
import { defineTool } from "../define-tool.js";

const MAX_FILES = 200;

const inputSchema = () =>
  z.strictObject({
    path: z.string().optional().describe("Directory, such as out; default work/ and out/."),
  });

/** Lists files of the session's workspace with sizes, sorted by path: at most 200, and the number of the others. */
export function workspaceListTool(workspaces: Workspaces): SkillTool {
  return defineTool({
    name: "workspace_list",
    description: "Lists the files of the workspace.",
    parallel: true,
    input: inputSchema,
    async run({ path }, { session, signal, onEvent }) {
      const { id } = await workspaces.forSession(session, { signal, onEvent });
      const files = await workspaces.files(id, path?.trim() || undefined, { signal });
      const more = Math.max(0, files.length - MAX_FILES);
      return {
        output: {
          files: files.slice(0, MAX_FILES).map((file) => ({
            path: file.path,
            size_bytes: file.size,
            mime_type: file.mimeType,
          })),
          ...(more > 0 ? { more, note: "Give a path to see fewer." } : {}),
        },
      };
    },
  });
}
