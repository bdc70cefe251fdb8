import { type SkillCatalog, SkillError } from "@skillwright/core";
import { spanned } from "@skillwright/core/adapter";
import { boxChanges } from "./box-changes.js";
import { boxNotices } from "./box-notices.js";
import { boxSources } from "./box-sources.js";
import { type CatalogView, catalogView, type ViewParts } from "./catalog-view.js";
import { type LivingSources, livingSources } from "./living-sources.js";
import { type NamedSource, namedSources, type SkillSource } from "./named-sources.js";
import { bodyReader } from "./search/body-reader.js";
import {
  checkSkillBoxOptions,
  type RequestOptions,
  type SkillBox,
  type SkillBoxOptions,
} from "./skill-box-options.js";
import { skillCache } from "./skill-cache.js";
import { isSourceSeen, type SkillFilter } from "./skill-filter.js";
import { skillSearch } from "./skill-search.js";
import { skillSwitches } from "./skill-switches.js";

const CACHED_SKILLS = 64;
const CACHED_BYTES = 16 * 1024 * 1024;

/**
 * Combines named repositories, highest precedence first, into one catalogue.
 *
 * - The first source that has a name wins; an untrusted source never wins over a trusted one, and one with `hidesOthers: false` over no
 *   other, whatever the order.
 *   Hidden skills give a diagnostic `skill.shadowed` of the snapshot. Skills that a filter excludes are not considered.
 * - A source that cannot be listed keeps its last listing, with the diagnostic `repository.stale`; one that was never
 *   listed gives the diagnostic `repository.failed`. It hides no other. `sources` of the snapshot tells which ones
 *   these are.
 * - Each `snapshot` and `search` looks at the repositories again, at the cost of their `list`; where all of them return
 *   the same listing objects as before, the snapshot is the same object too.
 * - `load` asks each source in order to find the skill, and lists only those without `find`. A skill added to a source
 *   with higher precedence since that was listed may be missed until the next snapshot; where no source knows the name,
 *   or the strongest that listed it does not find it, a snapshot is taken. A skill with an unchanged change mark is not
 *   read again while it is in the cache. A skill
 *   whose source cannot be reached is the one listed last, if the cache has it, with the diagnostic `repository.stale`.
 * - `open` and `reader` use the newest listings.
 * - While there are subscribers, all sources that support it are watched. Sources whose events show no change are not
 *   listed again.
 * - `load` and `open` accept a name, otherwise a path. Snapshots and the results of `load` are frozen.
 * - `addSource` and `removeSource` change the repositories of the living box: views, tenants and sessions see it in their
 *   next snapshot.
 * - `close` closes neither the repositories nor the trust store.
 *
 * @throws SkillError `CONFIG_INVALID` for a bad name, a value that is not a repository, and limits that are not
 * numbers.
 */
export function skillBox(
  sources: Readonly<Record<string, SkillSource>>,
  options: SkillBoxOptions = {},
): SkillBox {
  checkSkillBoxOptions(options);
  const { only, disabled = [], cache: { entries = CACHED_SKILLS, bytes = CACHED_BYTES } = {} } = options;
  const living = livingSources(namedSources(sources));
  const cache = skillCache({ entries, bytes });
  let closed = false;
  const parts: ViewParts = {
    sources: seenOf(living.all, ({ tenant }) => tenant === undefined),
    onSources: living.onChange,
    filters: only ? [only] : [],
    switches: skillSwitches(disabled),
    cache,
    search: skillSearch(bodyReader(living.all, cache), options.searchStore),
    trust: options.trust,
    notices: boxNotices(),
    isClosed: () => closed,
  };
  const onClose = (): void => {
    closed = true;
  };
  return boxOver(parts, { living, options, tenant: undefined, onClose });
}

interface BoxScope {
  readonly living: LivingSources;
  readonly options: SkillBoxOptions;
  readonly tenant: string | undefined;
  readonly onClose: () => void;
}

function boxOver(given: ViewParts, scope: BoxScope): SkillBox {
  const { living, options, tenant, onClose } = scope;
  const parts: ViewParts = { ...given, sources: seenThrough(given.filters, given.sources) };
  const own = catalogView(parts);

  function narrowed(only: SkillFilter): CatalogView {
    return catalogView({
      ...parts,
      sources: seenThrough([only], parts.sources),
      filters: [...parts.filters, only],
    });
  }

  function view(only: SkillFilter): SkillCatalog {
    checkOpen();
    const { announce: _a, latest: _l, ...narrow } = narrowed(only);
    return spanned("catalog", narrow);
  }

  /** The view that a request sees. */
  function seen({ only }: RequestOptions = {}): CatalogView {
    return only ? narrowed(only) : own;
  }

  function forTenant(name: string): SkillBox {
    checkOpen();
    if (name === "")
      throw new SkillError(
        "INPUT_INVALID",
        "The tenant's name is empty. Give the name that its sources have.",
      );
    let closed = false;
    const isSeen = (source: NamedSource) => source.tenant === undefined || source.tenant === name;
    const inner: ViewParts = {
      ...given,
      sources: seenOf(living.all, isSeen),
      switches: skillSwitches([], parts.switches),
      trust: options.trustOf?.(name),
      isClosed: () => closed || parts.isClosed(),
    };
    const onInnerClose = (): void => {
      closed = true;
    };
    return boxOver(inner, { ...scope, tenant: name, onClose: onInnerClose });
  }

  async function close(): Promise<void> {
    onClose();
    if (tenant === undefined) {
      parts.cache.clear();
      await parts.search.saved();
      parts.search.clear();
    }
    await own.close();
  }

  function checkOpen(): void {
    if (parts.isClosed())
      throw new SkillError("CLOSED", "This SkillBox is closed. Create a new one with skillBox().");
  }

  const box: SkillBox = {
    snapshot: (request) => seen(request).snapshot(request),
    load: (name, request) => seen(request).load(name, request),
    open: (name, path, request) => seen(request).open(name, path, request),
    reader: (name, request) => seen(request).reader(name, request),
    search: (query, request) => seen(request).search(query, request),
    subscribe: own.subscribe,
    view,
    forTenant,
    ...boxChanges(parts, { own, tenant, checkOpen }),
    ...boxSources(parts, { own, tenant, checkOpen, living }),
    close,
    [Symbol.asyncDispose]: close,
  };
  return spanned("catalog", box);
}

function seenThrough(filters: readonly SkillFilter[], all: ViewParts["sources"]): ViewParts["sources"] {
  return seenOf(all, ({ source }) => isSourceSeen(filters, source));
}

/** The sources that are seen, determined again when those that there are have changed. */
function seenOf(all: ViewParts["sources"], isSeen: (source: NamedSource) => boolean): ViewParts["sources"] {
  let last: readonly NamedSource[] | undefined;
  let seen: readonly NamedSource[] = [];
  return () => {
    const now = all();
    if (now !== last) seen = now.filter(isSeen);
    last = now;
    return seen;
  };
}
