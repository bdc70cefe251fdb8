import type {
  SkillListing,
  SkillRepository,
  VersionedSkillRepository,
  WatchableSkillRepository,
  WritableSkillRepository,
} from "@skillwright/core";
import { deepFreeze, type SkillWatch, spanned, untilAborted } from "@skillwright/core/adapter";
import { tellMerged } from "./broken-since.js";
import { type LastListing, lastListing } from "./last-listing.js";
import { canTellVersions, foundInLayers, layerKeeping, layerOf } from "./layer-with.js";
import { type LayerListing, mergedListing } from "./merged-listing.js";
import { openClosables } from "./open-closables.js";

/**
 * Always has a `reader`; has `upload` and `delete` where the first layer has them, `versions` and `watch` where any
 * layer has them (for a list of unknown length, only the first layer is known to exist).
 */
export type LayeredRepository<
  First extends SkillRepository,
  Others extends readonly SkillRepository[] = readonly SkillRepository[],
> = SkillRepository &
  Required<Pick<SkillRepository, "reader">> &
  Pick<First, keyof First & ("upload" | "delete")> &
  MethodOfAny<SureLayer<First, Others>, VersionedSkillRepository, "versions"> &
  MethodOfAny<SureLayer<First, Others>, WatchableSkillRepository, "watch">;

type SureLayer<First, Others extends readonly unknown[]> = number extends Others["length"]
  ? First
  : First | Others[number];

type MethodOfAny<Layer, Able, Method extends keyof Able> = [Extract<Layer, Pick<Able, Method>>] extends [
  never,
]
  ? unknown
  : Pick<Able, Method>;

/**
 * Combines repositories into one, highest precedence first: for example one's own skills over a team's.
 *
 * - `list` lists all concurrently. Where two have the same name, the one with higher precedence wins; the hidden skill
 *   gives a warning `skill.shadowed`. Two of the same name in one repository are both listed, as there. Paths are those
 *   inside each repository.
 * - A repository that cannot be listed keeps its last listing, with the warning `repository.stale`; one that was never
 *   listed gives the error `repository.failed`. It hides no other.
 * - `find`, `load`, `open` and `reader` use the first layer that has the name, otherwise the first that lists it as a
 *   path, broken skills included. Each layer up to there is asked to find it, or listed where it cannot. A layer that
 *   fails ends the call with its failure, because it may have the skill: no later layer answers for it. The same holds
 *   for a layer whose skill broke since it was listed: `find` gives `undefined`, and the others the layer's error.
 * - `versions` come from the layer that lists the name; where none does, from the first that keeps versions of it, as
 *   after a deletion. `load`, `open` and `reader` find a `version` there too. A layer that keeps no versions has none.
 * - `watch` reports changes only in layers that can be watched. Where all of them can, and know from their events that nothing changed,
 *   the listing is known to be current.
 * - `refresh` reaches all layers, and fails with the failure of the first that failed.
 * - `upload` and `delete` change only the first layer: `existing: "refuse"` checks no other, an upload may hide a skill
 *   of a later layer, and a deletion may make one visible.
 * - `close` ends the watches but closes none of the layers, since they were passed in.
 */
export function layered<First extends SkillRepository, Others extends readonly SkillRepository[]>(
  first: First,
  ...others: Others
): LayeredRepository<First, Others> {
  const layers: readonly SkillRepository[] = [first, ...others];
  const writable: SkillRepository & Partial<Pick<WritableSkillRepository, "upload" | "delete">> = first;
  const { upload, delete: remove } = writable;
  const watches = openClosables();

  let last: { readonly given: readonly SkillListing[]; readonly merged: SkillListing } | undefined;

  const list: SkillRepository["list"] = async (options = {}) => {
    const looks = Promise.all(layers.map((layer) => lastListing(layer, layer.label, options)));
    const looked = await untilAborted(looks, options.signal);
    const given = looked.map(({ listing }) => listing);
    const isGood = looked.every(({ failure }) => !failure) && given.every(isFrozenListing);
    if (isGood && last?.given.every((listing, index) => listing === given[index])) return last.merged;
    const merged = mergedListing(looked.map((look, index) => layerListing(layers[index]?.label ?? "", look)));
    tellMerged(merged);
    if (isGood) last = { given, merged: deepFreeze(merged) };
    return merged;
  };

  const find: SkillRepository["find"] = (name, options = {}) => foundInLayers(layers, name, options);

  const load: SkillRepository["load"] = async (name, options = {}) =>
    await (await layerOf(layers, name, options)).load(name, options);

  const open: SkillRepository["open"] = async (name, path, options = {}) =>
    await (await layerOf(layers, name, options)).open(name, path, options);

  const reader: LayeredRepository<SkillRepository>["reader"] = async (name, options = {}) => {
    const layer = await layerOf(layers, name, options);
    const read = await layer.reader?.(name, options);
    return read ?? ((path) => layer.open(name, path, options));
  };

  const refresh: SkillRepository["refresh"] = async (options) => {
    const outcomes = await Promise.allSettled(layers.map((layer) => layer.refresh(options)));
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed) throw failed.reason;
  };

  const versions: VersionedSkillRepository["versions"] = async (name, options = {}) => {
    const layer = await layerKeeping(layers, name, options);
    return layer && canTellVersions(layer) ? await layer.versions(name, options) : [];
  };

  const watch: WatchableSkillRepository["watch"] = async (listener) => {
    const own = openClosables();
    const open: SkillWatch[] = [];
    try {
      for (const layer of layers) {
        if (!isWatchable(layer)) continue;
        const opened = await layer.watch(listener);
        own.add(opened);
        open.push(opened);
      }
    } catch (error) {
      await own.close();
      throw error;
    }
    const watching = watches.add(own);
    if (open.length < layers.length) return watching;
    return { ...watching, isCurrent };

    async function isCurrent(listing: SkillListing): Promise<boolean> {
      if (!last || last.merged !== listing) return false;
      const answers = last.given.map((given, index) => open[index]?.isCurrent?.(given));
      return (await Promise.all(answers)).every((answer) => answer === true);
    }
  };

  const readable: SkillRepository = {
    get label() {
      return labelOf(layers);
    },
    list,
    find,
    load,
    open,
    reader,
    refresh,
    close: watches.close,
    [Symbol.asyncDispose]: watches.close,
  };
  const more: Partial<WritableSkillRepository & VersionedSkillRepository & WatchableSkillRepository> = {
    ...(layers.some(canTellVersions) && { versions }),
    ...(layers.some(isWatchable) && { watch }),
    ...(upload && { upload: (files, options) => upload.call(first, files, options) }),
    ...(remove && { delete: (name, options) => remove.call(first, name, options) }),
  };
  const both = spanned("repository", Object.assign(readable, more), { repository: "layered" });
  return both as unknown as LayeredRepository<First, Others>;
}

function isWatchable(layer: SkillRepository): layer is WatchableSkillRepository {
  return "watch" in layer && typeof layer.watch === "function";
}

function isFrozenListing(listing: SkillListing): boolean {
  return [listing, listing.skills, listing.broken, listing.diagnostics].every(Object.isFrozen);
}

function layerListing(label: string, { listing, failure }: LastListing): LayerListing {
  const told = listing.diagnostics.map((one) => ({ ...one, message: `${label}: ${one.message}` }));
  const diagnostics = failure ? [...told, failure.diagnostic] : told;
  return { label, skills: listing.skills, broken: listing.broken, diagnostics };
}

/** Shortened, so that any number of layers fits on one line. */
function labelOf(layers: readonly SkillRepository[]): string {
  const all = layers.map(({ label }) => label).join(" over ");
  const characters = [...all];
  return characters.length > 200 ? `${characters.slice(0, 199).join("")}…` : all;
}
