import { type Configuration, type SkillPlace, standardPlaces } from "@skillwright/config";
import type { CliContext } from "../cli-context.js";

/** The places that a command searches for skills: those of `--skills`, then the standard places. */
export async function placesOf(
  { cwd, env, bundledSkills }: Pick<CliContext, "cwd" | "env" | "bundledSkills">,
  flags: readonly string[],
  { sources, repositories, linkRoots }: Partial<Configuration["skills"]> = {},
): Promise<readonly SkillPlace[]> {
  return await standardPlaces({
    project: cwd,
    home: env["HOME"] ?? env["USERPROFILE"],
    given: flags,
    skillsRoot: env["SKILLS_ROOT"],
    repositories,
    linkRoots,
    bundled: bundledSkills,
    kinds: sources,
  });
}
