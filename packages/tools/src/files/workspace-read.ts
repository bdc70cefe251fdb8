import { SkillError, type SkillTool, type Workspaces } from "@skillwright/core";
import { z } from "zod";
import { defineTool } from "../define-tool.js";
import { requiredText } from "../input/text-fields.js";
import { shownRange } from "../text-range.js";

const KIB = 1024;
const DEFAULT_BYTES = 64 * KIB;
const MAX_BYTES = 256 * KIB;

const inputSchema = () =>
  z.strictObject({
    path: requiredText("Path from the workspace's root, such as out/report.md."),
    offset: z.number().int().min(0).optional().describe("First byte; next_offset of the part before."),
    max_bytes: z
      .number()
      .int()
      .min(1)
      .max(MAX_BYTES)
      .optional()
      .describe(`1 to ${MAX_BYTES}, default ${DEFAULT_BYTES}.`),
  });

/**
 * Reads text of a file in the session's workspace: 64 KiB at a time by default, at most 256 KiB, cut at whole
 * characters, and never more than a result may contain.
 */
export function workspaceReadTool(workspaces: Workspaces, budget: number): SkillTool {
  return defineTool({
    name: "workspace_read",
    description: "Reads a text file of the workspace, in parts where it is long.",
    parallel: true,
    input: inputSchema,
    async run({ path, offset = 0, max_bytes: limit = DEFAULT_BYTES }, { session, signal, onEvent }) {
      const { id } = await workspaces.forSession(session, { signal, onEvent });
      const content = await workspaces.download(id, path, { signal });
      const { text, nextOffset, binary } = await shownRange(content, offset, { limit, budget });
      if (binary)
        throw new SkillError("INPUT_INVALID", `${path} is not UTF-8 text. Use a command to inspect it.`, {
          details: { retry: false },
        });
      return {
        output: { path, content: text, ...(nextOffset === undefined ? {} : { next_offset: nextOffset }) },
      };
    },
  });
}
