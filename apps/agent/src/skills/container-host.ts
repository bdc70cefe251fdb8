import type { SkillHost } from "@skillwright/skillbox";

/**
 * A container that is not made yet: a Linux of which nobody knows the programs. What a skill needs is looked for in it
 * before the skill's first run.
 */
export function containerHost(env: Readonly<Record<string, string | undefined>>): SkillHost {
  return {
    look: async () => ({
      systems: ["linux"],
      hasProgram: () => undefined,
      variable: (name) => env[name],
    }),
  };
}
