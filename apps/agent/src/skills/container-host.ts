import type { SkillHost } from "@skillwright/skillbox";

export interface ContainerHostOptions {
  /** Variables of this machine that may be passed to skills. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The image as requested. */
  readonly image: string;
  /**
   * Names of the image's programs; missing where they were not determined, and every program then counts as present.
   */
  readonly programs: readonly string[] | undefined;
}

/** A Linux host with the programs of a container's image. */
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
