import { openPlace, type SkillPlace, sourceClients } from "@skillwright/config";
import type { SkillCatalog, SkillRepository } from "@skillwright/core";
import { skillBox } from "@skillwright/skillbox";

/** A catalogue over the existing folders, in order, for callers that need a skill's folder. */
export async function placeCatalog(places: readonly SkillPlace[], cwd: string): Promise<SkillCatalog> {
  const sources: Record<string, { repository: SkillRepository; trusted: boolean }> = {};
  for (const place of places)
    if (place.found && place.remote === undefined)
      sources[place.source] = {
        repository: await openPlace(place, { cwd, clients: sourceClients({}) }),
        trusted: place.trusted,
      };
  return skillBox(sources);
}
