import type { WritableSkillCatalog } from "@skillwright/core";
import { fsRepository } from "@skillwright/repository-fs";
import { skillBox } from "@skillwright/skillbox";
import type { SkillPlace } from "./standard-places.js";

/** One catalogue over the places that are there, in their order. */
export function placeCatalog(places: readonly SkillPlace[]): WritableSkillCatalog {
  return skillBox(
    Object.fromEntries(
      places
        .filter(({ found }) => found)
        .map(({ source, root, trusted }) => [source, { repository: fsRepository({ root }), trusted }]),
    ),
  );
}
