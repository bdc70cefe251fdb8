import { type CatalogSkill, SkillError, type ToolContext } from "@skillwright/core";
import { isLoaded } from "../skill/loaded-state.js";
import { visibleSkill } from "../skill/visible-skill.js";
import type { SkillRunParts } from "./skill-run.js";

/**
 * The skill of that name, where a command of it may run in this session.
 * @throws SkillError `SKILL_NOT_FOUND`; `REFUSED` where it has to be loaded first (TR-05), also where another agent of the
 *   session has loaded it (TR-06).
 */
export async function runnableSkill(
  {
    skills,
    requireLoad,
    loadCall = "skill_load",
  }: Pick<SkillRunParts, "skills" | "requireLoad" | "loadCall">,
  name: string,
  context: ToolContext,
): Promise<CatalogSkill> {
  const skill = await visibleSkill(skills, name, context);
  if (requireLoad && !isLoaded(skill.name, context))
    throw new SkillError("REFUSED", `Load the skill first: call ${loadCall} with "${skill.name}".`, {
      details: { retry: true },
    });
  return skill;
}
