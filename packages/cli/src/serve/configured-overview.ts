import type { Configuration } from "@skillwright/config";

/** Limits of the list of skills: those of `skills`, unless `agent.overview` has its own. */
export function configuredOverview({ agent, skills }: Pick<Configuration, "agent" | "skills">) {
  return {
    maxCharacters: skills.maxIndexChars,
    maxSkills: skills.maxListedSkills,
    ...Object(agent["overview"]),
  };
}
