import type { SkillPlace } from "@skillwright/config";
import type { WritableSkillCatalog } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";

/** A catalogue over the existing folders, in order, for callers that need a skill's folder. */
export function placeCatalog(places: readonly SkillPlace[]): WritableSkillCatalog {
  return skillBox(
    Object.fromEntries(
      places
        .filter(({ found, remote }) => found && remote === undefined)
        .map(({ source, root, trusted }) => [source, { repository: fsRepository({ root }), trusted }]),
    ),
  );
}
