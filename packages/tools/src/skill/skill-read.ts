import type { SkillCatalog, SkillTool, ToolContext } from "@skillwright/core";
import { z } from "zod";
import { defineTool, type ToolAnswer } from "../define-tool.js";
import { requiredText, skillNameField } from "../input/text-fields.js";
import { base64Bytes, byteRange, shownRange } from "../text-range.js";
import { loadedSkillText } from "./loaded-skill-text.js";
import { loadedDelta } from "./loaded-state.js";
import { resolvedSkill } from "./resolved-skill.js";
import { resourceFile } from "./resource-file.js";

const KIB = 1024;
const DEFAULT_BYTES = 64 * KIB;
const MAX_BYTES = 256 * KIB;

export interface SkillReadOptions {
  readonly runs: boolean;
  /** True where `skill_call` is available. */
  readonly calls?: boolean;
  /** The tool that returns the instructions, if it is another one. SKILL.md is then refused here. Defaults to none. */
  readonly loadCall?: string;
  /** Maximum characters of a result. */
  readonly budget: number;
}

const inputSchema = (instructions: boolean) =>
  z.strictObject({
    skill: skillNameField(),
    path: requiredText(
      instructions
        ? "SKILL.md for the instructions, or a file of the skill, such as references/api.md."
        : "A file of the skill, such as references/api.md.",
    ),
    offset: z.number().int().min(0).optional().describe("First byte; next_offset of the part before."),
    max_bytes: z
      .number()
      .int()
      .min(1)
      .max(MAX_BYTES)
      .optional()
      .describe(`1 to ${MAX_BYTES}, default ${DEFAULT_BYTES}.`),
    encoding: z
      .enum(["text", "base64"])
      .optional()
      .describe("text (default), or base64 for the exact bytes of any file."),
  });

const withInstructions = () => inputSchema(true);
const filesOnly = () => inputSchema(false);

/**
 * Reads any file of a skill by its path. `SKILL.md` returns the instructions and marks the skill as loaded; no other
 * file and no refused call does. Text is returned 64 KiB at a time, at most 256 KiB, cut at whole
 * characters. For a file that is not UTF-8 text, size and SHA-256 are returned, and its bytes as base64. A
 * missing path is answered with the existing ones, SKILL.md first.
 */
export function skillReadTool(
  skills: SkillCatalog,
  { runs, calls = false, loadCall, budget }: SkillReadOptions,
): SkillTool {
  const instructions = loadCall === undefined;
  return defineTool({
    name: "skill_read",
    description: instructions
      ? "Reads a file of a skill; its SKILL.md are the instructions to follow."
      : "Reads a file that belongs to a skill, in parts where it is long.",
    parallel: true,
    input: instructions ? withInstructions : filesOnly,
    aliases: { name: "skill" },
    run,
  });

  async function run(
    fields: z.infer<ReturnType<typeof inputSchema>>,
    context: ToolContext,
  ): Promise<ToolAnswer> {
    const { signal } = context;
    const skill = await resolvedSkill(skills, fields.skill, context);
    const file = resourceFile(skill, fields.path, { loadCall });
    const { path, size } = file;
    const { offset = 0, max_bytes: limit = DEFAULT_BYTES, encoding = "text" } = fields;
    const whole =
      path === "SKILL.md" && encoding === "text" && offset === 0 && size <= Math.min(MAX_BYTES, budget / 2);
    if (whole) {
      const { text, diagnostics } = loadedSkillText(skill, { runs, reads: true, calls });
      return { output: text, stateDelta: loadedDelta(skill.name, context), diagnostics };
    }
    const stateDelta = path === "SKILL.md" ? loadedDelta(skill.name, context) : {};
    const content = await skills.open(skill.name, path, { signal });
    const about = { skill: skill.name, path, size_bytes: size };
    if (encoding === "base64") {
      const { bytes, more } = await byteRange(content, offset, Math.min(limit, base64Bytes(budget)));
      const next = more ? { next_offset: offset + bytes.byteLength } : {};
      return { output: { ...about, base64: Buffer.from(bytes).toString("base64"), ...next }, stateDelta };
    }
    const { text, nextOffset, binary } = await shownRange(content, offset, { limit, budget });
    if (binary)
      return {
        output: {
          ...about,
          sha256: file.sha256,
          binary: true,
          note: "Not UTF-8 text: use encoding base64 to get its bytes.",
        },
      };
    const next = nextOffset === undefined ? {} : { next_offset: nextOffset };
    return { output: { ...about, content: text, ...next }, stateDelta };
  }
}
