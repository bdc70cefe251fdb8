import {
  containedPath,
  type RestorableSkillRepository,
  type Skill,
  SkillError,
  type SkillListing,
  type SkillSummary,
  type VersionedSkillRepository,
  type WatchableSkillRepository,
} from "@skillwright/core";
import {
  attempts,
  checkAborted,
  deepFreeze,
  invalidSkill,
  isSummary,
  skillListing,
  spanned,
} from "@skillwright/core/adapter";
import { ChangedMeanwhile } from "./files/errno.js";
import { shownFailure } from "./files/write-content.js";
import { deletions } from "./history/history-entry.js";
import type { HistoryLimits } from "./history/history-limits.js";
import { restoreSkill } from "./history/restore-skill.js";
import { withKnownVersion } from "./history/skill-versions.js";
import { versionedReading } from "./history/versioned-reading.js";
import type { FolderPlace } from "./skills/folder-place.js";
import { headCache, userCacheDirectory } from "./skills/head-cache.js";
import { loadFolder, placeSummary } from "./skills/load-folder.js";
import { openFile } from "./skills/open-file.js";
import { type ScanOptions, scanRules } from "./skills/scan-options.js";
import { type Scan, skillIndex } from "./skills/skill-index.js";
import { skillReader } from "./skills/skill-reader.js";
import { deleteSkill, uploadSkill } from "./skills/write-skill.js";
import { liveFolders } from "./watch/live-folders.js";
import { repositoryWatch } from "./watch/repository-watch.js";
import { type WatchOptions, watchRules } from "./watch/watch-options.js";

export interface FsRepositoryOptions extends ScanOptions {
  /** The directory below which skills are searched. A missing one gives an empty listing with a diagnostic. */
  readonly root: string;
  /** How many deleted skills are kept in `.skillwright-history` for restoring, the latest ones. Defaults to 32. */
  readonly keepDeleted?: number | undefined;
  /** How much of a skill that `upload` replaced is kept in `.skillwright-history`; the oldest versions go first. */
  readonly history?: HistoryLimits | undefined;
  readonly watch?: WatchOptions | undefined;
  /**
   * Where headers of SKILL.md files are kept for other processes, once a listing has read 200 or more: a private file in
   * `directory`, by default `skillwright` in the user's directory for caches. It may be deleted at any time. `false` for
   * none.
   */
  readonly cache?: { readonly directory?: string | undefined } | false | undefined;
}

/** A folder with skills: writable, watchable, with versions, and deletions can be undone. */
export type FsRepository = RestorableSkillRepository & VersionedSkillRepository & WatchableSkillRepository;

/**
 * A repository of the skills in a directory: every directory with a SKILL.md, at any depth up to 6, without hidden
 * directories and `node_modules`. A skill inside another one counts as both. Directory links inside the root count
 * once; links that leave the root or a skill are not followed; pipes and devices are never opened.
 *
 * A listing stats every file and opens only unknown SKILL.md files; all changes are visible to the next call. While it is
 * watched and no event shows a change, listing and finding skills look at no file. Several
 * processes may upload concurrently; the root and everything below it must then be on one file system.
 */
export function fsRepository(options: FsRepositoryOptions): FsRepository {
  const { root, keepDeleted = 32, history = {} } = options;
  const label = `fs ${root}`;
  const rules = watchRules(options.watch ?? {});
  const live = liveFolders(root, rules.handles);
  const heads = headCache(
    options.cache === false ? undefined : (options.cache?.directory ?? userCacheDirectory()),
  );
  const index = skillIndex({ root, label, rules: scanRules(options), live, heads });
  const watching = repositoryWatch({
    label,
    rules,
    live,
    scan: () => index.scan(undefined),
    isCurrent: async (listing) => (await live.isUnchanged(undefined)) && index.isNewest(scanOf.get(listing)),
  });
  const attempt = attempts(label, shownFailure);
  const versions = versionedReading(root, index);

  const list: RestorableSkillRepository["list"] = ({ signal } = {}) =>
    attempt("Listing", signal, async () => {
      return listingOf(await index.scan(signal));
    });

  const find: RestorableSkillRepository["find"] = (name, { signal } = {}) =>
    attempt(`Looking for "${name}"`, signal, async () => {
      if (!index.mayHave(name)) return undefined;
      const watched = await index.watched(name);
      if (watched) return isSummary(watched.found) ? watched.found : undefined;
      return await index
        .withPlace(name, signal, (place) => summaryAt(place, name, signal))
        .catch(unlessMissing);
    });

  const load: RestorableSkillRepository["load"] = (name, { signal, version } = {}) =>
    attempt(`Loading "${name}"`, signal, async () => {
      if (version !== undefined) return await versions.load(name, version, signal);
      const skill = await index.withPlace(name, signal, async (place) => await loadAt(place, name, signal));
      return await withKnownVersion(root, skill);
    });

  const open: RestorableSkillRepository["open"] = (name, path, { signal, version } = {}) =>
    attempt(`Opening "${path}" of "${name}"`, signal, async () => {
      containedPath(path);
      if (version !== undefined) return await versions.open(name, path, version, signal);
      return await index.withPlace(name, signal, async (place) => {
        return await openFile(place, name, path, { headers: index.memory.headers, signal });
      });
    });

  const reader: RestorableSkillRepository["reader"] = (name, options = {}) =>
    attempt(`Opening "${name}"`, options.signal, async () => {
      if (options.version !== undefined) return await versions.reader(name, options.version, options.signal);
      const path = await index.withPlace(name, options.signal, async (place) => {
        if (!index.memory.skills.has(place.path)) await loadAt(place, name, options.signal);
        return place.path;
      });
      const places = index.memory.skills.get(path)?.places;
      return skillReader(places, (file) => open(name, file, options), options.signal);
    });

  const refresh: RestorableSkillRepository["refresh"] = async ({ signal } = {}) => {
    checkAborted(signal);
    index.forget();
  };

  const upload: RestorableSkillRepository["upload"] = (files, options = {}) =>
    attempt("Uploading", options.signal, async () => {
      return await uploadSkill(root, index, files, options, history);
    });

  const remove: RestorableSkillRepository["delete"] = (name, { signal } = {}) =>
    attempt(`Deleting "${name}"`, signal, async () => {
      return await deleteSkill(root, index, name, { keep: keepDeleted, signal });
    });

  const deleted: RestorableSkillRepository["deleted"] = ({ signal } = {}) =>
    attempt("Looking for deleted skills", signal, async () => {
      return (await deletions(root)).map(({ name, path, deletedAt }) => ({ name, path, deletedAt }));
    });

  const restore: RestorableSkillRepository["restore"] = (name, options = {}) =>
    attempt(`Restoring "${name}"`, options.signal, async () => {
      return await restoreSkill(root, index, name, options);
    });

  const watch: WatchableSkillRepository["watch"] = (listener) =>
    attempt("Watching", undefined, async () => await watching.watch(listener));

  async function close(): Promise<void> {
    watching.close();
    index.forget();
    await heads.saved();
  }

  const repository: FsRepository = {
    label,
    list,
    find,
    load,
    open,
    reader,
    refresh,
    upload,
    delete: remove,
    deleted,
    restore,
    versions: (name, { signal } = {}) =>
      attempt(`Looking for versions of "${name}"`, signal, async () => await versions.list(name, signal)),
    watch,
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("repository", repository, { repository: "fs" });

  async function summaryAt(
    place: FolderPlace,
    name: string,
    signal: AbortSignal | undefined,
  ): Promise<SkillSummary | undefined> {
    const found = await placeSummary(place, index.memory, signal);
    if (!isSummary(found)) return undefined;
    if (found.name === name || place.path === name) return found;
    throw new ChangedMeanwhile();
  }

  async function loadAt(place: FolderPlace, name: string, signal: AbortSignal | undefined): Promise<Skill> {
    const loaded = await loadFolder(place, index.memory, signal);
    if ("manifest" in loaded && (loaded.name === name || place.path === name)) return loaded;
    if ("manifest" in loaded || place.path !== name) throw new ChangedMeanwhile();
    throw invalidSkill(loaded);
  }
}

function unlessMissing(error: unknown): undefined {
  if (!SkillError.is(error, "SKILL_NOT_FOUND")) throw error;
}

const listings = new WeakMap<Scan, SkillListing>();
const scanOf = new WeakMap<SkillListing, Scan>();

/** Returns the same object for the same scan. */
function listingOf(scan: Scan): SkillListing {
  const known = listings.get(scan);
  if (known) return known;
  const listing = deepFreeze(skillListing(scan));
  listings.set(scan, listing);
  scanOf.set(listing, scan);
  return listing;
}
