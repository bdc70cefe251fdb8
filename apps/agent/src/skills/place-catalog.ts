import type { SkillCatalog } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";
import { missingNeeds } from "./missing-needs.js";
import type { SkillPlace } from "./skill-places.js";
import { withoutSkills } from "./without-skills.js";

/** One catalogue over the places. Skills that need a program which is not there are left out with a reason. */
export async function placeCatalog(
  places: readonly SkillPlace[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<SkillCatalog> {
  const box = skillBox(
    Object.fromEntries(
      places.map(({ source, root, trusted }) => [source, { repository: fsRepository({ root }), trusted }]),
    ),
  );
  return withoutSkills(box, await missingNeeds(env));
}
