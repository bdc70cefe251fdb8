import {
  type ByteStream,
  type CallOptions,
  type CatalogChange,
  type CatalogSkill,
  type CatalogSnapshot,
  type Closable,
  type SearchHit,
  type Skill,
  type SkillCatalog,
  SkillError,
  type SkillOrigin,
  type SkillReader,
  type SkillRepository,
  type TrustStore,
} from "@skillwright/core";
import type { SkillVersionOptions } from "@skillwright/core/adapter";
import type { BoxNotices } from "./box-notices.js";
import { isStale } from "./broken-since.js";
import { type CatalogSnapshots, catalogSnapshots } from "./catalog-snapshots.js";
import { findSkill } from "./find-skill.js";
import { frozenCopy } from "./frozen-copy.js";
import { knownListing, staleSkill } from "./last-listing.js";
import { locatedSkill, rememberedSkill } from "./located-skill.js";
import type { NamedSource } from "./named-sources.js";
import type { SkillCache } from "./skill-cache.js";
import type { SkillFilter } from "./skill-filter.js";
import type { SkillSearch } from "./skill-search.js";
import type { SkillSwitches } from "./skill-switches.js";
import { sourceNamed } from "./source-named.js";
import { viewListeners } from "./view-listeners.js";

export interface ViewParts {
  /** The visible sources, now. */
  readonly sources: () => readonly NamedSource[];
  /** Calls the listener when the sources change. Returns a function that removes it. */
  readonly onSources: (listener: () => void) => () => void;
  readonly filters: readonly SkillFilter[];
  readonly switches: SkillSwitches;
  readonly cache: SkillCache;
  readonly search: SkillSearch;
  readonly trust: TrustStore | undefined;
  readonly notices: BoxNotices;
  readonly isClosed: () => boolean;
}

export interface CatalogView extends SkillCatalog {
  reader(name: string, options?: SkillVersionOptions): Promise<SkillReader>;
  /** Reports a change that was made through this view; the other views of the box take their own snapshots. */
  announce(change: CatalogChange): void;
  /** The newest snapshot taken. */
  latest(): CatalogSnapshot | undefined;
}

/** The reading half of a catalogue. */
export function catalogView(parts: ViewParts): CatalogView {
  const { sources, filters, switches, cache, trust, notices, isClosed } = parts;
  const onChange = (change: CatalogChange): void => listeners.notify(change);
  const snapshots: CatalogSnapshots = catalogSnapshots({ sources, filters, switches, onChange });
  const listeners = viewListeners(parts, () => snapshots.take({}), snapshots.latest);
  let closed = false;

  async function snapshot(options: CallOptions = {}): Promise<CatalogSnapshot> {
    checkOpen();
    return await snapshots.take(options);
  }

  async function load(name: string, options: SkillVersionOptions = {}): Promise<Skill & SkillOrigin> {
    checkOpen();
    const { skill: found, failure } = (await locatedSkill(parts, name, options)) ?? {
      skill: findSkill(await snapshot(options), name),
      failure: undefined,
    };
    const kept = options.version === undefined ? cache.get(found) : undefined;
    const skill =
      kept ?? (await read(found, options).catch((error: unknown) => throwUnless(failure, found, error)));
    const { source } = found;
    const trusted = found.trusted || (await trust?.isAllowed(skill.digest, source, options)) === true;
    const stale = failure ? [staleSkill(source, failure)] : found.diagnostics.filter(isStale);
    const told = stale.length > 0 && { diagnostics: [...skill.diagnostics, ...stale] };
    return Object.freeze({ ...skill, ...told, source, trusted });
  }

  async function read(found: CatalogSkill, options: SkillVersionOptions): Promise<Skill> {
    const skill = frozenCopy(
      await sourceNamed(sources(), found.source).repository.load(found.name, plain(options)),
    );
    if (options.version === undefined) cache.put(found.source, skill);
    return skill;
  }

  async function open(name: string, path: string, options: SkillVersionOptions = {}): Promise<ByteStream> {
    return await whereItIs(name, options, (found) => {
      const { repository } = sourceNamed(sources(), found.source);
      return repository.open(openedAs(repository, found, options), path, plain(options));
    });
  }

  async function reader(name: string, options: SkillVersionOptions = {}): Promise<SkillReader> {
    return await whereItIs(name, options, async (found) => {
      const { repository } = sourceNamed(sources(), found.source);
      const as = openedAs(repository, found, options);
      const opened = await repository.reader?.(as, plain(options));
      return opened ?? ((path) => repository.open(as, path, plain(options)));
    });
  }

  /** Tries where the sources last listed it first, so that reading a skill's files does not look it up for each. */
  async function whereItIs<T>(
    name: string,
    options: SkillVersionOptions,
    use: (found: CatalogSkill) => Promise<T>,
  ): Promise<T> {
    checkOpen();
    const known = await rememberedSkill(parts, name);
    if (known)
      try {
        return await use(known.skill);
      } catch (error) {
        if (!SkillError.is(error, "SKILL_NOT_FOUND")) throw error;
      }
    const found = findSkill(await snapshot(options), name);
    return await use(found).catch((error: unknown) => throwUnless(undefined, found, error));
  }

  async function search(
    query: string,
    { limit = DEFAULT_HITS, signal }: CallOptions & { limit?: number } = {},
  ): Promise<readonly SearchHit[]> {
    return await parts.search.search(await snapshot({ signal }), query, { limit, signal });
  }

  function announce(change: CatalogChange): void {
    snapshots.announce(change);
    notices.tell(listeners.lookAgain);
  }

  function subscribe(listener: (change: CatalogChange) => void): Closable {
    checkOpen();
    return listeners.add(listener);
  }

  async function close(): Promise<void> {
    closed = true;
    snapshots.clear();
    await listeners.close();
  }

  function checkOpen(): void {
    if (closed || isClosed())
      throw new SkillError("CLOSED", "This SkillBox is closed. Create a new one with skillBox().");
  }

  return {
    snapshot,
    load,
    open,
    reader,
    search,
    subscribe,
    announce,
    latest: snapshots.latest,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const DEFAULT_HITS = 10;

/**
 * The name by which the repository opens the skill's files. It knows no name of a skill that broke since it was listed;
 * that one's files are opened by its path, unless another skill has that name or path.
 */
function openedAs(
  repository: SkillRepository,
  { name, path, diagnostics }: CatalogSkill,
  { version }: SkillVersionOptions,
): string {
  if (version !== undefined || !diagnostics.some(isStale)) return name;
  const others = knownListing(repository)?.skills.filter((skill) => skill.name !== name) ?? [];
  return others.some((other) => other.name === path || other.path === path) ? name : path;
}

/** A source that cannot be reached does not prove that it lacks a skill, and neither does one in which the skill is broken now. */
function throwUnless(failure: SkillError | undefined, found: CatalogSkill, error: unknown): never {
  if (!SkillError.is(error, "SKILL_NOT_FOUND")) throw error;
  const stale = found.diagnostics.find(isStale);
  if (failure || !stale) throw failure ?? error;
  throw new SkillError(
    "SKILL_INVALID",
    `The skill "${found.name}" cannot be used. ${stale.message} ${stale.hint}`,
    {
      cause: error,
      details: { source: found.source, path: found.path, diagnostics: found.diagnostics },
    },
  );
}

/** The options that repositories understand. */
function plain({ signal, version }: SkillVersionOptions): SkillVersionOptions {
  return { signal, ...(version !== undefined && { version }) };
}
