import type { SkillPlace } from "@skillwright/config";
import type { WritableSkillCatalog } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";

/** One catalogue over the folders that are there, in their order: for whoever needs a skill's folder. */
export function placeCatalog(places: readonly SkillPlace[]): WritableSkillCatalog {
  return skillBox(
    Object.fromEntries(
      places
        .filter(({ found, remote }) => found && remote === undefined)
        .map(({ source, root, trusted }) => [source, { repository: fsRepository({ root }), trusted }]),
    ),
  );
}
