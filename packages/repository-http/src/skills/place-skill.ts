import { isUsable } from "./found-skills.js";
import { type PlacedSkill, scanCollection } from "./scan-collection.js";
import type { SkillCollection } from "./skill-collection.js";

/**
 * The skill of that name, else the one at that path. An entry of an index that has the name and keeps it in its SKILL.md
 * is fetched alone, since no other may have it.
 * @throws SkillError why the entry of that name cannot be fetched.
 */
export async function placeSkill(
  collection: SkillCollection,
  name: string,
  signal: AbortSignal | undefined,
): Promise<PlacedSkill | undefined> {
  const part = collection.parts.get(name);
  // A failed one is asked for again, and tells itself why it cannot be had.
  await part?.content(signal);
  const top = (await part?.list(signal))?.skills.find(({ inner }) => inner === "");
  if (part && top && (!isUsable(top.skill) || top.skill.name === name))
    return { part, inner: "", skill: top.skill };
  const { placed } = await scanCollection(collection, signal);
  return (
    placed.find(({ skill }) => isUsable(skill) && skill.name === name) ??
    placed.find(({ skill }) => skill.path === name)
  );
}
