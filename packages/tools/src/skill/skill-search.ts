import type { SkillCatalog, SkillTool } from "@skillwright/core";
import { z } from "zod";
import { defineTool } from "../define-tool.js";
import { requiredText } from "../input/text-fields.js";
import { isVisible } from "./resolved-skill.js";
import { shortDescription } from "./short-description.js";

const DEFAULT_HITS = 10;
const MAX_HITS = 50;

const inputSchema = () =>
  z.strictObject({
    query: requiredText("Words that say what the skill should do."),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_HITS)
      .optional()
      .describe(`How many at most: 1 to ${MAX_HITS}, default ${DEFAULT_HITS}.`),
  });

/**
 * Returns the skills that match some words best, best first: 10 by default, at most 50. The catalogue's search decides
 * what is matched.
 */
export function skillSearchTool(skills: SkillCatalog): SkillTool {
  return defineTool({
    name: "skill_search",
    description: "Finds the skills that fit what you need. Use it where a fitting one is not listed.",
    parallel: true,
    input: inputSchema,
    async run({ query, limit = DEFAULT_HITS }, context) {
      // Requests all hits: hidden skills are removed.
      const hits = await skills.search(query, { signal: context.signal, limit: Number.MAX_SAFE_INTEGER });
      const found = hits.map(({ skill }) => skill).filter((skill) => isVisible(skill, context));
      const shown = found.slice(0, limit).map(({ name, description, source }) => ({
        name,
        description: shortDescription(description),
        source,
      }));
      if (shown.length > 0) return { output: { skills: shown } };
      return { output: { skills: [], note: "No skill matches. Try other words, or skill_list for all." } };
    },
  });
}
