import {
  type Closable,
  type Diagnostic,
  type MetadataIndex,
  SkillError,
  type SkillListing,
  type SkillRepository,
  type SkillSummary,
  type VersionedSkillRepository,
  type WatchableSkillRepository,
  type WritableSkillRepository,
} from "@skillwright/core";
import { checkAborted, type IndexedSummaries, spanned } from "@skillwright/core/adapter";
import { backgroundCheck } from "./background-check.js";
import { indexInTime } from "./index-in-time.js";
import { type IndexUpkeep, indexUpkeep } from "./index-upkeep.js";
import { openClosables } from "./open-closables.js";
import { byNameThenPath, byPath } from "./skill-order.js";

export interface IndexedOptions {
  /**
   * How often a change is tried on an index that others change concurrently, before it counts as failed. At least 1;
   * defaults to 32.
   */
  readonly attempts?: number | undefined;
  /**
   * Timeout of one call of the index, in milliseconds. At least 1; defaults to 5,000. A call of the repository that
   * reads and writes the index may wait several times as long.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Minimum interval between background comparisons of the repository with the index, in milliseconds, triggered by
   * `list`: changes made without the index are included from the following listing on. Defaults to 30,000; `Infinity`
   * disables comparisons.
   */
  readonly checkEveryMs?: number | undefined;
  /** How long `list` does not ask a failed index again, in milliseconds. At least 1; defaults to 5,000. */
  readonly retryEveryMs?: number | undefined;
}

type KeptMethod = "upload" | "delete" | "versions" | "reader";

/** The repository's methods, and `watch`, which the index provides. */
export type IndexedRepository<Repository extends SkillRepository> = WatchableSkillRepository &
  Pick<Repository, keyof Repository & KeptMethod>;

/**
 * Lists the repository from an index that many processes share: `list` costs one read of the index and no access to the
 * repository, and so does `find`. `load`, `open`, `reader` and `versions` go to the repository; `upload` and `delete` are present where it
 * has them.
 *
 * - Where there is no index, `list` builds it from the repository's own listing; of many concurrent processes one
 *   succeeds and the others read its result.
 * - Changes made without the index are listed after `refresh`, which lists the repository and writes the differences;
 *   it fails with the index's error where that is impossible. `list` starts the same in the background, at most every
 *   `checkEveryMs`; where it fails, the next listing has the warning `index.unchecked`.
 * - `upload` and `delete` update the index before they end. Where that fails, they have still taken effect: an upload
 *   reports it in a diagnostic `index.failed` of the skill.
 * - A failing index hides no skill: `list` returns the repository's own listing with a warning `index.failed`, and for
 *   `retryEveryMs` the same listing again; then the index is asked in the background. A notice of the index ends that
 *   time at once. Changes that this process could
 *   not write are added by its next `list`, with a listing of the repository.
 * - An index that does not answer within `timeoutMs` has failed. If it applies a change later, that is harmless: a
 *   change is applied to the revision it is based on or not at all.
 * - `watch` follows the index, and the repository where that can be watched too; it fails as the index's `subscribe`.
 * - Diagnostics of the repository as a whole are not in the index: `list` repeats those of the last listing made here.
 * - `close` ends the watches and background work. The repository and the index were passed in and stay open.
 *
 * An index belongs to one repository: two that share one replace each other's entries.
 *
 * @throws SkillError `CONFIG_INVALID` for an option that is not a whole number from 1.
 */
export function indexed<Repository extends SkillRepository>(
  repository: Repository,
  given: MetadataIndex,
  { attempts = 32, timeoutMs = 5000, retryEveryMs = 5000, checkEveryMs = 30_000 }: IndexedOptions = {},
): IndexedRepository<Repository> {
  for (const [option, value] of Object.entries({ attempts, timeoutMs, retryEveryMs, checkEveryMs }))
    if (!(option === "checkEveryMs" && value === Infinity) && (!Number.isSafeInteger(value) || value < 1))
      throw new SkillError("CONFIG_INVALID", `"${option}" is ${value}. Give a whole number from 1.`);
  const index = indexInTime(given, timeoutMs);
  const source: Kept = repository;
  const upkeep = indexUpkeep(repository, index, { attempts, retryEveryMs, onLook: () => check.done() });
  const check = backgroundCheck(
    checkEveryMs,
    () => repository.label,
    async (signal) => (await upkeep.compare({ signal })).failure,
  );
  const watches = openClosables();

  const list: SkillRepository["list"] = async (options = {}) => {
    checkAborted(options.signal);
    const { summaries, listing, failure } = await upkeep.read(options);
    if (summaries) {
      const diagnostics = [...upkeep.remembered(), ...check.diagnostics()];
      check.due();
      return fromIndex(summaries, diagnostics);
    }
    if (!failure) return listing;
    return { ...listing, diagnostics: [...listing.diagnostics, failed(repository, failure)] };
  };

  const find: SkillRepository["find"] = async (name, options = {}) => {
    checkAborted(options.signal);
    const { summaries, listing } = await upkeep.read(options);
    if (summaries) check.due();
    return foundAmong((summaries ?? listing).skills, name);
  };

  const refresh: SkillRepository["refresh"] = async (options = {}) => {
    await repository.refresh(options);
    const { failure } = await upkeep.compare(options);
    if (failure) throw failure;
  };

  const watch: WatchableSkillRepository["watch"] = async (listener) => {
    const own = openClosables();
    try {
      const noticed = (): void => {
        upkeep.noticed();
        listener();
      };
      own.add(await index.subscribe(noticed));
      const told = (): void => {
        upkeep.doubt();
        listener();
      };
      if (source.watch) own.add(await source.watch(told));
    } catch (error) {
      await own.close();
      throw error;
    }
    return watches.add(own);
  };

  async function close(): Promise<void> {
    await Promise.all([watches.close(), upkeep.close(), check.close()]);
  }

  const kept: Closable & WatchableSkillRepository = {
    get label() {
      return repository.label;
    },
    list,
    find,
    load: (name, options) => repository.load(name, options),
    open: (name, path, options) => repository.open(name, path, options),
    refresh,
    watch,
    close,
    [Symbol.asyncDispose]: close,
  };
  const whole = spanned("repository", Object.assign(kept, methodsOf(source, upkeep)), {
    repository: "indexed",
  });
  return whole as unknown as IndexedRepository<Repository>;
}

type Kept = SkillRepository &
  Partial<Pick<WritableSkillRepository, "upload" | "delete">> &
  Partial<Pick<VersionedSkillRepository, "versions">> &
  Partial<Pick<WatchableSkillRepository, "watch">>;

/** Only the methods that the repository has. */
function methodsOf(source: Kept, upkeep: IndexUpkeep): Partial<Kept> {
  const { reader, versions } = source;
  return {
    ...(reader && { reader: (name, options) => reader.call(source, name, options) }),
    ...(versions && { versions: (name, options) => versions.call(source, name, options) }),
    ...(source.upload && { upload: uploading(source, source.upload, upkeep) }),
    ...(source.delete && { delete: deleting(source, source.delete, upkeep) }),
  };
}

function uploading(
  source: Kept,
  upload: WritableSkillRepository["upload"],
  upkeep: IndexUpkeep,
): WritableSkillRepository["upload"] {
  return async (files, options = {}) => {
    const skill = await upkeep.changing(() => upload.call(source, files, options));
    const failure = await upkeep.follow(() => [skill.path], options);
    if (!failure) return skill;
    return { ...skill, diagnostics: [...skill.diagnostics, failed(source, failure)] };
  };
}

function deleting(
  source: Kept,
  remove: WritableSkillRepository["delete"],
  upkeep: IndexUpkeep,
): WritableSkillRepository["delete"] {
  return async (name, options = {}) => {
    const isRemoved = await upkeep.changing(() => remove.call(source, name, options));
    // The next `list` repairs and reports a failure.
    if (isRemoved) await upkeep.follow((summaries) => placesOf(summaries, name), options);
    return isRemoved;
  };
}

/** Paths of everything that has the name or is at that path, since a deletion accepts either. */
function placesOf({ skills, broken }: IndexedSummaries, name: string): string[] {
  const named = skills.filter((skill) => skill.name === name);
  const placed = [...skills, ...broken].filter(({ path }) => path === name);
  return [...named, ...placed].map(({ path }) => path);
}

/** The skill of this name, of several the first by path; otherwise the one at this path. */
function foundAmong(skills: readonly SkillSummary[], name: string): SkillSummary | undefined {
  const named = skills.filter((skill) => skill.name === name).sort(byPath);
  return named[0] ?? skills.find(({ path }) => path === name);
}

function fromIndex({ skills, broken }: IndexedSummaries, diagnostics: readonly Diagnostic[]): SkillListing {
  return { skills: inOrder(skills, byNameThenPath), broken: inOrder(broken, byPath), diagnostics };
}

/** Returns a sorted copy. The index usually has the order already, and checking that takes half as long as sorting. */
function inOrder<Entry>(entries: readonly Entry[], order: (a: Entry, b: Entry) => number): Entry[] {
  const copy = entries.slice();
  for (let at = 1; at < copy.length; at++)
    if (order(copy[at - 1] as Entry, copy[at] as Entry) > 0) return copy.sort(order);
  return copy;
}

function failed({ label }: SkillRepository, { code, message }: SkillError): Diagnostic {
  return {
    code: "index.failed",
    severity: "warning",
    message: `The index of "${label}" could not be used (${code}): ${message}`,
    hint: "The skills were listed from the repository itself. Repair the index; it is then updated automatically.",
  };
}
