import { isSummary, pickSkill } from "@skillwright/core/adapter";
import { type PlacedSkill, scanCollection } from "./scan-collection.js";
import type { SkillCollection } from "./skill-collection.js";

/**
 * The skill of that name, otherwise the one at that path. If an index entry has the name and its SKILL.md confirms it,
 * only that entry is fetched, since no other may have the name.
 * @throws SkillError the error of fetching the entry of that name.
 */
export async function placeSkill(
  collection: SkillCollection,
  name: string,
  signal: AbortSignal | undefined,
): Promise<PlacedSkill | undefined> {
  const part = collection.parts.get(name);
  // A failed entry is requested again and reports its own error.
  await part?.content(signal);
  const top = (await part?.list(signal))?.skills.find(({ inner }) => inner === "");
  if (part && top && (!isSummary(top.found) || top.found.name === name))
    return { part, inner: "", found: top.found };
  return await listedSkill(collection, name, signal);
}

/** The skill of that name, otherwise the one at that path, as it is listed. Fetches only what was never fetched. */
export async function listedSkill(
  collection: SkillCollection,
  name: string,
  signal: AbortSignal | undefined,
): Promise<PlacedSkill | undefined> {
  return pickSkill((await scanCollection(collection, signal)).skills, name);
}
