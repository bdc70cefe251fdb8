import { randomUUID } from "node:crypto";
import {
  byteStream,
  type ContentStore,
  containedPath,
  type Skill,
  SkillError,
  type SkillReader,
  type SkillRepository,
  type SkillVersionOptions,
  spanned,
  type VersionedSkillRepository,
  type WatchableSkillRepository,
  type WritableSkillRepository,
} from "@skillwright/core";
import { cachedSkills } from "./cached/cached-skills.js";
import { fileOpener, repositoryReader } from "./cached/file-opener.js";
import { heldContent } from "./cached/held-content.js";
import { storedReader } from "./cached/stored-reader.js";

export interface CachedOptions {
  /** Where the files are kept on this machine. It was handed in and stays open. */
  readonly content: ContentStore;
  /**
   * Names the repository in the content store, where no other repository may have that name: by it another process finds
   * skills whose listing tells no digest. Without it such skills are fetched once in each process.
   */
  readonly name?: string | undefined;
  /** What the owner of each lease begins with; `skill-cache:` and something random by default. Must be nobody else's. */
  readonly owner?: string | undefined;
  readonly limits?:
    | {
        /** How many skills are kept in memory, and how many are held in the content store; 256 by default. */
        readonly skills?: number | undefined;
        /** How many bytes of files are held in the content store; 1 GiB by default. The skill used last is, in any case. */
        readonly bytes?: number | undefined;
      }
    | undefined;
}

/** What the repository can of the known methods, and always a `reader`. */
export type CachedRepository<Repository extends SkillRepository> = SkillRepository &
  Required<Pick<SkillRepository, "reader">> &
  Pick<Repository, keyof Repository & ("upload" | "delete" | "versions" | "watch")> & {
    /** What the owner of each lease begins with, for the `isLive` of a collection. */
    readonly leaseOwner: string;
  };

const MEMORY_CHARACTERS = 16 * 1024 * 1024;

/**
 * The repository, with the files of its skills in a content store of this machine. `list`, `find`, `upload`, `delete`,
 * `versions` and `watch` are the repository's own; whatever else it can is called on the repository itself, and seen by the next load.
 *
 * - `load` costs a `find`, or a listing where the repository has none, and nothing more where that proves the skill unchanged: by
 *   its `digest`, else by its path and change mark. The bodies and manifests used last are in memory; else they are made from the files in the content store,
 *   each byte checked. What is not there is loaded from the repository, all its files once, and checked against the manifest
 *   while it is stored.
 * - A version is loaded once; after that this process asks nobody for it until `refresh`.
 * - `open` and `reader` cost as much, and read what is stored, checked; they store nothing: the rest is the
 *   repository's answer. Load a skill first.
 * - Never stale beyond that: where a listing fails, or has an error among its diagnostics, the repository answers. One that
 *   fails is never hidden, but for a version: where the repository ends with `BACKEND_FAILED`, a version that is a digest
 *   is read from the content store by the skill's name, and with the option `name` any that was loaded; the diagnostic
 *   `repository.failed` says so, and its path is not known then.
 * - A content store that fails or is full costs speed alone: the skill says so in the diagnostic `cache.failed`, and it is
 *   not tried again for this skill until `refresh`, or as long as it is in memory.
 * - What is read is leased until others were used more lately, and until `close`, after which the calls that read end with
 *   `CLOSED`. Files that are collected while they are read come from the repository.
 *
 * @throws SkillError `CONFIG_INVALID` for limits that are no whole numbers from 1, and for an empty name or owner.
 */
export function cached<Repository extends SkillRepository>(
  repository: Repository,
  { content, name, owner = `skill-cache:${randomUUID()}`, limits = {} }: CachedOptions,
): CachedRepository<Repository> {
  const { skills = 256, bytes = 1024 ** 3 } = limits;
  checkOptions({ skills, bytes }, { name, owner });
  const held = heldContent({ content, owner, skills, bytes });
  const known = cachedSkills({ repository, held, name, skills, characters: MEMORY_CHARACTERS });
  let isClosed = false;

  const load: SkillRepository["load"] = async (wanted, options = {}) => {
    checkOpen();
    const skill = await known.recall(wanted, options);
    const fetched = async () =>
      await known.fetch(wanted, options).catch((failure: unknown) => known.pinned(wanted, failure, options));
    return structuredClone(skill ?? (await fetched()));
  };

  const open: SkillRepository["open"] = async (wanted, path, options = {}) => {
    checkOpen();
    containedPath(path);
    const read = await stored(await known.recall(wanted, options), wanted, options);
    if (read) return byteStream(await read(path));
    return await repository.open(wanted, path, options).catch(async (failure: unknown) => {
      const instead = await pinnedReader(failure, wanted, options);
      return byteStream(await instead(path));
    });
  };

  const reader: CachedRepository<SkillRepository>["reader"] = async (wanted, options = {}) => {
    checkOpen();
    const read = await stored(await known.recall(wanted, options), wanted, options);
    if (read) return read;
    const other = repositoryReader(repository, wanted, options);
    return await other.catch((failure: unknown) => pinnedReader(failure, wanted, options));
  };

  const refresh: SkillRepository["refresh"] = async (options) => {
    known.forget();
    await repository.refresh(options);
  };

  async function close(): Promise<void> {
    isClosed = true;
    known.forget();
    await held.release();
  }

  const kept: SkillRepository & { readonly leaseOwner: string } = {
    get label() {
      return repository.label;
    },
    leaseOwner: owner,
    list: (options) => repository.list(options),
    load,
    open,
    reader,
    refresh,
    close,
    [Symbol.asyncDispose]: close,
  };
  const whole = spanned("repository", Object.assign(kept, methodsOf(repository)), { repository: "cached" });
  return whole as unknown as CachedRepository<Repository>;

  async function stored(
    skill: Skill | undefined,
    wanted: string,
    options: SkillVersionOptions,
  ): Promise<SkillReader | undefined> {
    if (!skill) return undefined;
    const otherwise = fileOpener(repository, wanted, options);
    return await storedReader(held, skill, { otherwise, signal: options.signal });
  }

  async function pinnedReader(
    failure: unknown,
    wanted: string,
    options: SkillVersionOptions,
  ): Promise<SkillReader> {
    const read = await stored(await known.pinned(wanted, failure, options), wanted, options);
    if (!read) throw failure;
    return read;
  }

  function checkOpen(): void {
    if (isClosed)
      throw new SkillError("CLOSED", `This cache of ${repository.label} is closed. Make a new one.`);
  }
}

type Kept = SkillRepository &
  Partial<Pick<WritableSkillRepository, "upload" | "delete">> &
  Partial<Pick<VersionedSkillRepository, "versions">> &
  Partial<Pick<WatchableSkillRepository, "watch">>;

/** Those that the repository has, and no other. */
function methodsOf(source: Kept): Partial<Kept> {
  const { find, upload, delete: remove, versions, watch } = source;
  return {
    ...(find && { find: (name, options) => find.call(source, name, options) }),
    ...(upload && { upload: (files, options) => upload.call(source, files, options) }),
    ...(remove && { delete: (name, options) => remove.call(source, name, options) }),
    ...(versions && { versions: (name, options) => versions.call(source, name, options) }),
    ...(watch && { watch: (listener) => watch.call(source, listener) }),
  };
}

function checkOptions(
  limits: Readonly<Record<string, number>>,
  texts: Readonly<Record<string, string | undefined>>,
): void {
  for (const [limit, value] of Object.entries(limits))
    if (!Number.isSafeInteger(value) || value < 1)
      throw new SkillError("CONFIG_INVALID", `"limits.${limit}" is ${value}. Give a whole number from 1.`);
  for (const [option, text] of Object.entries(texts))
    if (text === "")
      throw new SkillError("CONFIG_INVALID", `"${option}" is empty. Give a word, or leave it out.`);
}
