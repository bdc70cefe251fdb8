import { type CatalogSkill, SKILL_STATE_KEYS, SkillError, type ToolContext } from "@skillwright/core";
import { visibleSkill } from "../skill/visible-skill.js";
import type { SkillRunParts } from "./skill-run.js";

/**
 * The skill of that name, where a command of it may run in this session.
 * @throws SkillError `SKILL_NOT_FOUND`; `REFUSED` where it has to be loaded first (TR-05).
 */
export async function runnableSkill(
  { skills, requireLoad }: Pick<SkillRunParts, "skills" | "requireLoad">,
  name: string,
  context: ToolContext,
): Promise<CatalogSkill> {
  const skill = await visibleSkill(skills, name, context);
  if (requireLoad && context.state[SKILL_STATE_KEYS.loaded(skill.name)] !== "1")
    throw new SkillError("REFUSED", `Load the skill first: call skill_load with "${skill.name}".`, {
      details: { retry: true },
    });
  return skill;
}
