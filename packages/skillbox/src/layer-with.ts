import {
  type CallOptions,
  checkAborted,
  SkillError,
  type SkillListing,
  type SkillRepository,
  type SkillSummary,
  type SkillVersionOptions,
  type VersionedSkillRepository,
} from "@skillwright/core";
import { findIn } from "./find-in.js";

/**
 * The layer that answers for this name: the one that `layerWith` finds, else, for a version, the strongest that keeps some of
 * it, as after a deletion.
 * @throws SkillError as `layerWith`.
 */
export async function layerOf(
  layers: readonly SkillRepository[],
  name: string,
  options: SkillVersionOptions,
): Promise<SkillRepository> {
  if (options.version === undefined) return await layerWith(layers, name, options);
  return (await layerKeeping(layers, name, options)) ?? (await layerWith(layers, name, options));
}

/** As `layerOf` for a version; `undefined` where nobody has the name or had it. */
export async function layerKeeping(
  layers: readonly SkillRepository[],
  name: string,
  { signal }: CallOptions,
): Promise<SkillRepository | undefined> {
  try {
    return await layerWith(layers, name, { signal });
  } catch (error) {
    if (!SkillError.is(error, "SKILL_NOT_FOUND")) throw error;
  }
  for (const layer of layers.filter(canTellVersions))
    if ((await layer.versions(name, { signal })).length > 0) return layer;
  return undefined;
}

export function canTellVersions(layer: SkillRepository): layer is VersionedSkillRepository {
  return "versions" in layer && typeof layer.versions === "function";
}

/**
 * The strongest layer that has a skill of this name, else the strongest that lists one, broken or not, at this path. As
 * the merged listing has it: looking for names first keeps a path above from taking a name below.
 * @throws SkillError `SKILL_NOT_FOUND`; whatever a layer fails with that is asked before one is found.
 */
async function layerWith(
  layers: readonly SkillRepository[],
  name: string,
  options: CallOptions,
): Promise<SkillRepository> {
  checkAborted(options.signal);
  for (const layer of layers) if ((await foundBy(layer, name, options))?.name === name) return layer;
  // What the layers did not know of: paths of broken skills, and skills that came since they were listed.
  let atPath: SkillRepository | undefined;
  for (const layer of layers) {
    const { skills, broken } = await listing(layer, options);
    if (skills.some((skill) => skill.name === name)) return layer;
    if ([...skills, ...broken].some(({ path }) => path === name)) atPath ??= layer;
  }
  if (atPath) return atPath;
  const shown = JSON.stringify(name.slice(0, 80));
  const places = layers.map(({ label }) => label).join(", ");
  throw new SkillError(
    "SKILL_NOT_FOUND",
    `There is no skill ${shown} in ${places}. List the repository to see what is there.`,
  );
}

/** The skill of this name in the strongest layer that has it, else the strongest one at this path. @throws SkillError as the layers. */
export async function foundInLayers(
  layers: readonly SkillRepository[],
  name: string,
  options: CallOptions,
): Promise<SkillSummary | undefined> {
  checkAborted(options.signal);
  let atPath: SkillSummary | undefined;
  for (const layer of layers) {
    const found = await foundBy(layer, name, options);
    if (found?.name === name) return found;
    atPath ??= found;
  }
  return atPath;
}

async function foundBy(
  layer: SkillRepository,
  name: string,
  { signal }: CallOptions,
): Promise<SkillSummary | undefined> {
  try {
    return await findIn(layer, name, { signal });
  } catch (error) {
    throw SkillError.from(error, `Looking for "${name.slice(0, 80)}" in ${layer.label}`);
  }
}

async function listing(layer: SkillRepository, { signal }: CallOptions): Promise<SkillListing> {
  try {
    return await layer.list({ signal });
  } catch (error) {
    throw SkillError.from(error, `Listing ${layer.label}`);
  }
}
