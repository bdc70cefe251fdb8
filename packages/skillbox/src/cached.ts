import { randomUUID } from "node:crypto";
import {
  byteStream,
  type ContentStore,
  containedPath,
  type Skill,
  SkillError,
  type SkillReader,
  type SkillRepository,
  type VersionedSkillRepository,
  type WatchableSkillRepository,
  type WritableSkillRepository,
} from "@skillwright/core";
import { type SkillVersionOptions, spanned } from "@skillwright/core/adapter";
import { cachedSkills } from "./cached/cached-skills.js";
import { fileOpener, repositoryReader } from "./cached/file-opener.js";
import { heldContent } from "./cached/held-content.js";
import { storedReader } from "./cached/stored-reader.js";

export interface CachedOptions {
  /** Where the files are stored on this machine. The caller passes it in, and it stays open. */
  readonly content: ContentStore;
  /**
   * Name of the repository in the content store, unique among repositories. Other processes use it to find skills whose
   * listing has no digest. Without it, such skills are fetched once per process.
   */
  readonly name?: string | undefined;
  /**
   * Prefix of the owner of each lease. Defaults to `skill-cache:` and a random part. Must not be used by anyone else.
   */
  readonly owner?: string | undefined;
  readonly limits?:
    | {
        /** How many skills are kept in memory, and how many are leased in the content store. Defaults to 256. */
        readonly skills?: number | undefined;
        /**
         * How many bytes of files are leased in the content store. Defaults to 1 GiB. The most recently used skill is
         * leased in any case.
         */
        readonly bytes?: number | undefined;
      }
    | undefined;
}

/** The repository's methods, as far as they are known, and always a `reader`. */
export type CachedRepository<Repository extends SkillRepository> = SkillRepository &
  Required<Pick<SkillRepository, "reader">> &
  Pick<Repository, keyof Repository & ("upload" | "delete" | "versions" | "watch")> & {
    /** Prefix of the owner of each lease, for `isLive` of a collection. */
    readonly leaseOwner: string;
  };

const MEMORY_CHARACTERS = 16 * 1024 * 1024;

/**
 * Wraps the repository and stores the files of its skills in a content store of this machine. `list`, `find`, `upload`,
 * `delete`, `versions` and `watch` are the repository's own. Call any other method on the repository itself; the next
 * load sees its effect.
 *
 * - `load` costs a `find`, or a listing where the repository has none, and nothing more where that proves the skill
 *   unchanged: by its `digest`, otherwise by its path and change mark. The most recently used bodies and manifests are
 *   in memory; others are rebuilt from the files in the content store, with each byte verified. Other skills are loaded
 *   from the repository: all files once, verified against the manifest while they are stored.
 * - A version is loaded once; after that this process does not ask the repository for it until `refresh`.
 * - `open` and `reader` cost the same and read the stored files, verified. They store nothing: other files come from
 *   the repository. Load a skill first.
 * - Otherwise nothing is stale: where a listing fails, or has an error among its diagnostics, the repository answers. A
 *   failing repository is never hidden, except for versions: where it fails with `BACKEND_FAILED`, a version that is a
 *   digest is read from the content store by the skill's name, and with the option `name` any version that was loaded.
 *   The diagnostic `repository.failed` reports this, and the skill's path is unknown then.
 * - A content store that fails or is full only costs speed: the skill's diagnostic `cache.failed` reports it, and
 *   storing this skill is not tried again until `refresh`, or while it is in memory.
 * - Content that was read is leased until enough other skills were used more recently, and until `close`, after which
 *   reading calls fail with `CLOSED`. Files that are collected while they are read come from the repository.
 *
 * @throws SkillError `CONFIG_INVALID` for limits that are not whole numbers from 1, and for an empty name or owner.
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
      throw new SkillError("CLOSED", `This cache of ${repository.label} is closed. Create a new one.`);
  }
}

type Kept = SkillRepository &
  Partial<Pick<WritableSkillRepository, "upload" | "delete">> &
  Partial<Pick<VersionedSkillRepository, "versions">> &
  Partial<Pick<WatchableSkillRepository, "watch">>;

/** Only the methods that the repository has. */
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
      throw new SkillError(
        "CONFIG_INVALID",
        `The option "${option}" is empty. Give a non-empty text, or leave it out.`,
      );
}
