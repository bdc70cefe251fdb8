import type { SkillHost } from "@skillwright/skillbox";

export interface ContainerHostOptions {
  /** Variables of this machine that skills may be given. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As it was asked for. */
  readonly image: string;
  /** Names of the programs that the image has; missing where nobody looked, and then each counts as there. */
  readonly programs: readonly string[] | undefined;
}

/** A Linux with the programs of a container's image. */
export function containerHost({ env, image, programs }: ContainerHostOptions): SkillHost {
  const there = programs && new Set(programs);
  return {
    look: async () => ({
      systems: ["linux"],
      programsIn: {
        place: `the image ${image}`,
        remedy: "Give an image that has it with --image, such as one built from docker/skill-runner.",
      },
      hasProgram: (name) => there?.has(name),
      variable: (name) => env[name],
    }),
  };
}
