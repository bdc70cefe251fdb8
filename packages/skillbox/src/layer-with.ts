import {
  type CallOptions,
  SkillError,
  type SkillListing,
  type SkillRepository,
  type SkillSummary,
  type VersionedSkillRepository,
} from "@skillwright/core";
import { checkAborted, type SkillVersionOptions } from "@skillwright/core/adapter";
import { isStale } from "./broken-since.js";
import { findIn, listedAs } from "./find-in.js";
import { knownListing, lastListing } from "./last-listing.js";

/**
 * The layer that answers for this name: the one that `layerWith` finds; otherwise, for a version, the first layer that
 * keeps versions of it, as after a deletion.
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

/** Like `layerOf` for a version; `undefined` where no layer has or had the name. */
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
 * The first layer that has a skill of this name, or listed one that is broken now; otherwise the first that lists one, broken or not, at this path. This
 * matches the merged listing: searching by name first prevents a path in one layer from hiding a name in a later one.
 * @throws SkillError `SKILL_NOT_FOUND`; the failure of any layer that is asked before one is found.
 */
async function layerWith(
  layers: readonly SkillRepository[],
  name: string,
  options: CallOptions,
): Promise<SkillRepository> {
  checkAborted(options.signal);
  for (const layer of layers) if ((await foundBy(layer, name, options))?.name === name) return layer;
  // Paths of broken skills, and skills added since the layers were listed, which `find` does not know.
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
    `There is no skill ${shown} in ${places}. List the repository to see its skills.`,
  );
}

/**
 * The skill of this name in the first layer that has it, otherwise the first one at this path; `undefined` where that
 * one broke since it was listed. @throws SkillError as the layers.
 */
export async function foundInLayers(
  layers: readonly SkillRepository[],
  name: string,
  options: CallOptions,
): Promise<SkillSummary | undefined> {
  checkAborted(options.signal);
  let atPath: SkillSummary | undefined;
  for (const layer of layers) {
    const found = await foundBy(layer, name, options);
    if (found?.name === name) return unlessStale(found);
    atPath ??= found;
  }
  return atPath && unlessStale(atPath);
}

function unlessStale(skill: SkillSummary): SkillSummary | undefined {
  return skill.diagnostics.some(isStale) ? undefined : skill;
}

/** As `findIn`. A skill that broke since the layer listed it is given as it was, marked stale. */
async function foundBy(
  layer: SkillRepository,
  name: string,
  { signal }: CallOptions,
): Promise<SkillSummary | undefined> {
  try {
    const found = await findIn(layer, name, { signal });
    if (found?.name === name) return found;
    const known = knownListing(layer);
    const last = known && listedAs(known, name);
    if (!last || (found && last.name !== name)) return found;
    const { listing, failure } = await lastListing(layer, layer.label, { signal });
    if (failure) throw failure.error;
    return listedAs(listing, name) ?? found;
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
