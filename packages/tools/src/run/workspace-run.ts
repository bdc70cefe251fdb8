import type { SkillTool, ToolContext } from "@skillwright/core";
import { z } from "zod";
import { defineTool, type ToolAnswer } from "../define-tool.js";
import { requestedRun } from "./requested-run.js";
import { runAnswer } from "./run-answer.js";
import { type RunFields, runFields } from "./run-fields.js";
import type { RunParts } from "./skill-run.js";

const inputSchema = () => z.strictObject(runFields());

/** Runs a command without a skill, in the root of the session's workspace. Answers like `skill_run`. */
export function workspaceRunTool(parts: RunParts): SkillTool {
  return defineTool({
    name: "workspace_run",
    description: "Runs a command in the workspace, for work that belongs to no skill. Answers as skill_run.",
    parallel: false,
    repeatable: true,
    input: inputSchema,
    async run(fields: RunFields, context: ToolContext): Promise<ToolAnswer> {
      const requested = requestedRun(fields, parts);
      const result = await parts.gate.run(requested.run, undefined, context);
      return runAnswer(result, requested);
    },
  });
}
