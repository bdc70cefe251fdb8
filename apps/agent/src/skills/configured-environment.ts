import { type SkillSettings, skillVariables } from "@skillwright/core";
import type { SkillHost } from "@skillwright/skillbox";
import type { SkillEnvironment } from "@skillwright/workspace";

/** What is configured for a skill, for its own runs alone. The catalogue's snapshot tells of what does not reach it. */
export function configuredEnvironment(settings: SkillSettings, host: SkillHost): SkillEnvironment {
  return async (skill) => skillVariables(skill, settings, await host.look([])).variables;
}
