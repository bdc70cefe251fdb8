import { withSpanSync } from "../span.js";
import { type ParseSkillResult, parseSkill } from "./parse-skill.js";

/** `parseSkill` in a span `skill.parse`, for the load of one skill. Listings, which read many, call `parseSkill`. */
export function parseLoadedSkill(...given: Parameters<typeof parseSkill>): ParseSkillResult {
  return withSpanSync("skill.parse", { size: given[0].length }, (set) => {
    const result = parseSkill(...given);
    set({ diagnostics: result.diagnostics.length });
    return result;
  });
}
