import type { SkillCatalog, SkillTool, ToolContext } from "@skillwright/core";
import { loadedSkills } from "./loaded-state.js";
import { unlessAborted } from "./resolved-skill.js";

/** The tools bound to the loaded skills of trusted sources; of tools with one name, the first. */
export async function boundTools(
  skills: SkillCatalog,
  bound: Readonly<Record<string, readonly SkillTool[]>>,
  context: ToolContext,
): Promise<readonly SkillTool[]> {
  const unlocked = new Map<string, SkillTool>();
  for (const name of loadedSkills(context).filter((one) => Object.hasOwn(bound, one))) {
    // A skill that is missing, broken or unreachable unlocks nothing; loading it again gives the reason.
    const skill = await skills.load(name, { signal: context.signal }).catch(unlessAborted);
    if (!skill?.trusted) continue;
    for (const tool of bound[name] ?? []) if (!unlocked.has(tool.name)) unlocked.set(tool.name, tool);
  }
  return [...unlocked.values()];
}
