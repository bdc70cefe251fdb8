import {
  type ByteStream,
  type CallOptions,
  type CatalogSkill,
  type CatalogSnapshot,
  type SearchHit,
  type Skill,
  SkillError,
  type SkillOrigin,
  type SkillReader,
  type SkillVersionOptions,
  type WritableSkillCatalog,
} from "@skillwright/core";
import { catalogSnapshots } from "./catalog-snapshots.js";
import { frozenCopy } from "./deep-freeze.js";
import { findSkill } from "./find-skill.js";
import { namedSources, type SkillSource } from "./named-sources.js";
import { skillCache } from "./skill-cache.js";
import { type SkillSearch, skillSearch } from "./skill-search.js";
import { sourceNamed, writableSource } from "./source-named.js";

const CACHED_SKILLS = 64;
const DEFAULT_HITS = 10;

/**
 * Named repositories, strongest first, seen as one catalogue.
 *
 * - The first source that has a name wins it; an untrusted one never wins over a trusted one, whatever the order. What
 *   is hidden is a diagnostic `skill.shadowed` of the snapshot.
 * - A source that cannot be listed is a diagnostic `repository.failed` and hides no other.
 * - Each `snapshot`, `load` and `search` looks at the repositories again, at the cost of their `list`; a skill whose
 *   change mark is the same is not read again (the 64 used last are kept). `open` follows the newest snapshot.
 * - `load` and `open` take a name, else a path. Snapshots and what `load` gives are frozen.
 * - `restore` ends with `UNSUPPORTED`. `close` closes none of the repositories.
 *
 * @throws SkillError `CONFIG_INVALID` for a bad name or something that is no repository.
 */
export function skillBox(sources: Readonly<Record<string, SkillSource>>): WritableSkillCatalog {
  const named = namedSources(sources);
  const snapshots = catalogSnapshots(named);
  const cache = skillCache(CACHED_SKILLS);
  let index: { fingerprint: string; search: SkillSearch } | undefined;
  let closed = false;

  async function snapshot(options: CallOptions = {}): Promise<CatalogSnapshot> {
    checkOpen();
    return snapshots.take(options);
  }

  async function load(name: string, options: SkillVersionOptions = {}): Promise<Skill & SkillOrigin> {
    const found = find(await snapshot(options), name);
    const skill = (options.version === undefined && cache.get(found)) || (await read(found, options));
    return Object.freeze({ ...skill, source: found.source, trusted: found.trusted });
  }

  async function read(found: CatalogSkill, options: SkillVersionOptions): Promise<Skill> {
    const skill = frozenCopy(await sourceNamed(named, found.source).repository.load(found.name, options));
    if (options.version === undefined) cache.put(found.source, skill);
    return skill;
  }

  async function open(name: string, path: string, options: SkillVersionOptions = {}): Promise<ByteStream> {
    return await whereItIs(name, options, ({ name: found, source }) =>
      sourceNamed(named, source).repository.open(found, path, options),
    );
  }

  async function reader(name: string, options: SkillVersionOptions = {}): Promise<SkillReader> {
    return await whereItIs(name, options, async ({ name: found, source }) => {
      const { repository } = sourceNamed(named, source);
      const read = await repository.reader?.(found, options);
      return read ?? ((path) => repository.open(found, path, options));
    });
  }

  /** First where the newest snapshot has it, so that reading a skill's files costs no listing for each. */
  async function whereItIs<T>(
    name: string,
    options: SkillVersionOptions,
    use: (found: CatalogSkill) => Promise<T>,
  ): Promise<T> {
    checkOpen();
    const known = snapshots.latest();
    if (known?.skills.some((skill) => skill.name === name))
      try {
        return await use(find(known, name));
      } catch (error) {
        if (!SkillError.is(error, "SKILL_NOT_FOUND")) throw error;
      }
    return await use(find(await snapshot(options), name));
  }

  async function search(
    query: string,
    { limit = DEFAULT_HITS, signal }: CallOptions & { limit?: number } = {},
  ): Promise<readonly SearchHit[]> {
    return searchOf(await snapshot({ signal })).search(query, limit);
  }

  const upload: WritableSkillCatalog["upload"] = async (repository, files, options) => {
    checkOpen();
    const skill = await writableSource(named, repository, "upload").upload(files, options);
    snapshots.announce();
    return skill;
  };

  const remove: WritableSkillCatalog["delete"] = async (repository, name, options) => {
    checkOpen();
    const removed = await writableSource(named, repository, "delete").delete(name, options);
    if (removed) snapshots.announce();
    return removed;
  };

  const restore: WritableSkillCatalog["restore"] = async (repository) => {
    checkOpen();
    const { source } = sourceNamed(named, repository);
    throw new SkillError("UNSUPPORTED", `"${source}" keeps no deleted skills. Upload the skill again.`);
  };

  async function refresh(repository?: string, options?: CallOptions): Promise<void> {
    checkOpen();
    const chosen = repository === undefined ? named : [sourceNamed(named, repository)];
    const outcomes = await Promise.allSettled(chosen.map((source) => source.repository.refresh(options)));
    snapshots.announce();
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed) throw failed.reason;
  }

  async function close(): Promise<void> {
    closed = true;
    snapshots.clear();
    cache.clear();
    index = undefined;
  }

  function find(catalogue: CatalogSnapshot, name: string): CatalogSkill {
    return findSkill(catalogue, name, () => searchOf(catalogue));
  }

  function searchOf(catalogue: CatalogSnapshot): SkillSearch {
    if (index?.fingerprint !== catalogue.fingerprint)
      index = { fingerprint: catalogue.fingerprint, search: skillSearch(catalogue) };
    return index.search;
  }

  function checkOpen(): void {
    if (closed) throw new SkillError("CLOSED", "This SkillBox is closed. Make a new one with skillBox().");
  }

  return {
    snapshot,
    load,
    open,
    reader,
    search,
    subscribe: snapshots.subscribe,
    upload,
    delete: remove,
    restore,
    refresh,
    close,
    [Symbol.asyncDispose]: close,
  };
}
