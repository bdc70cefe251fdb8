import type { SkillTool, ToolContext, ToolResult } from "@skillwright/core";

/**
 * `workspace_read` that can also read `skills/<name>/...` before the skill is staged, so that the paths of a Markdown
 * overview can be read like any other. Paths that `skill_read` refuses are read from the workspace. Reading SKILL.md
 * loads the skill, as everywhere.
 */
export function readingSkills(workspaceRead: SkillTool, skillRead: SkillTool): SkillTool {
  async function execute(input: unknown, context: ToolContext): Promise<ToolResult> {
    const { path, ...rest } = Object(input) as { readonly path?: unknown };
    const [, skill, file] =
      (typeof path === "string" && /^(?:\.?\/)?skills\/([^/]+)\/(.+)$/s.exec(path)) || [];
    if (skill !== undefined && file !== undefined) {
      const result = await skillRead.execute({ ...rest, skill, path: file }, context);
      if (!result.isError) return result;
    }
    return workspaceRead.execute(input, context);
  }

  return { ...workspaceRead, execute };
}
