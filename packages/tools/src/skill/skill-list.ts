import type { CatalogSkill, CatalogSnapshot, SkillCatalog, SkillTool, ToolContext } from "@skillwright/core";
import { z } from "zod";
import { defineTool, type ToolAnswer } from "../define-tool.js";
import { isVisible } from "./resolved-skill.js";
import { shortDescription } from "./short-description.js";

const DEFAULT_SKILLS = 50;
const MAX_SKILLS = 200;

const pageFields = () => ({
  limit: z
    .number()
    .int()
    .min(1)
    .max(MAX_SKILLS)
    .optional()
    .describe(`How many at most: 1 to ${MAX_SKILLS}, default ${DEFAULT_SKILLS}.`),
  offset: z.number().int().min(0).optional().describe("How many to pass over, for the next page."),
});

const withQuery = () =>
  z.strictObject({ query: z.string().optional().describe("Words to search for."), ...pageFields() });
const withoutQuery = () => z.strictObject(pageFields());

/**
 * Lists names, descriptions and sources: all by name, or the best matches of a query. 50 at a time, at most 200.
 * Without `queries`, where another tool searches, it only lists. Changes nothing.
 */
export function skillListTool(
  skills: SkillCatalog,
  { queries = true }: { queries?: boolean } = {},
): SkillTool {
  return defineTool({
    name: "skill_list",
    description: queries
      ? "Lists skills with their descriptions; with a query, those that fit it best."
      : "Lists skills with their descriptions.",
    parallel: true,
    input: queries ? withQuery : withoutQuery,
    run,
  });

  async function run(
    {
      query,
      limit = DEFAULT_SKILLS,
      offset = 0,
    }: { query?: string | undefined; limit?: number | undefined; offset?: number | undefined },
    context: ToolContext,
  ): Promise<ToolAnswer> {
    const { candidates, note } = await asked(query?.trim() ?? "", context);
    const found = candidates.filter((skill) => isVisible(skill, context));
    const page = found.slice(offset, offset + limit);
    const more = Math.max(0, found.length - offset - page.length);
    return {
      output: {
        skills: page.map(({ name, description, source }) => ({
          name,
          description: shortDescription(description),
          source,
        })),
        ...(more > 0 ? { more, next_offset: offset + page.length } : {}),
        ...(note !== undefined ? { note } : {}),
      },
    };
  }

  async function asked(
    query: string,
    { signal }: ToolContext,
  ): Promise<{ candidates: readonly CatalogSkill[]; note?: string | undefined }> {
    if (query === "") {
      const snapshot = await skills.snapshot({ signal });
      return { candidates: snapshot.skills, note: unreachableNote(snapshot) };
    }
    // Requests all hits: hidden skills are removed, and the rest must be counted.
    const hits = await skills.search(query, { signal, limit: Number.MAX_SAFE_INTEGER });
    return { candidates: hits.map(({ skill }) => skill) };
  }
}

/** Describes what a listing may lack because sources could not be listed; `undefined` when all of them were. */
function unreachableNote({ sources = [] }: CatalogSnapshot): string | undefined {
  const named = (state: "stale" | "unlisted") =>
    sources.filter((one) => one.state === state).map(({ source }) => `"${source}"`);
  const [stale, unlisted] = [named("stale"), named("unlisted")];
  const notes = [
    ...(stale.length > 0
      ? [`${stale.join(", ")} cannot be reached: its skills are shown as last listed.`]
      : []),
    ...(unlisted.length > 0
      ? [`${unlisted.join(", ")} cannot be reached: its skills are missing here.`]
      : []),
  ];
  return notes.length > 0 ? notes.join(" ") : undefined;
}
