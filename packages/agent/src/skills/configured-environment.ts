import type { SkillHost } from "@skillwright/skillbox";
import { type SkillSettings, skillVariables } from "@skillwright/skillbox";
import type { SkillEnvironment } from "@skillwright/workspace";

/**
 * The configured variables for a skill's own runs. The catalogue's snapshot reports variables that are not passed to
 * it.
 */
export function configuredEnvironment(settings: SkillSettings, host: SkillHost): SkillEnvironment {
  return async (skill) => skillVariables(skill, settings, await host.look([])).variables;
}
