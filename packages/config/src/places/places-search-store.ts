import { type FsSearchStore, fsSearchStore } from "@skillwright/repository-fs";
import type { SkillPlace } from "./skill-place.js";

/** Keeps the search index of these places for the user's other processes with the same ones. */
export function placesSearchStore(places: readonly SkillPlace[]): FsSearchStore {
  const name = JSON.stringify(places.filter(({ found }) => found).map(({ source, root }) => [source, root]));
  return fsSearchStore({ name });
}
