import type { CatalogSkill, CatalogSnapshot, SearchHit } from "@skillwright/core";
import { checkAborted, forEachLimited, untilAborted } from "@skillwright/core/adapter";
import { keptTerms, type SearchStore } from "./search/kept-terms.js";
import { searchIndex } from "./search/search-index.js";
import { turnTaking } from "./turn-taking.js";

export interface SkillSearch {
  /**
   * Returns the best skills of the snapshot, best first: ranked by the words' shares of name, description and body,
   * with English stemming; a word that no skill has is replaced with the most similar ones. Changed skills are indexed
   * first, yielding every few milliseconds; a body is read once per change mark, also by several processes with the same
   * store.
   */
  search(
    snapshot: CatalogSnapshot,
    query: string,
    options: { readonly limit: number; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly SearchHit[]>;
  clear(): void;
  /** Waits until the store has what was found. */
  saved(): Promise<void>;
}

export interface BodyReader {
  isSearched(skill: CatalogSkill): boolean;
  /** The text after a SKILL.md's header. */
  read(skill: CatalogSkill, signal: AbortSignal | undefined): Promise<string>;
}

const READ_AT_ONCE = 16;

/** One index for any number of views over the same sources; each view finds only the skills that it shows. */
export function skillSearch(bodies: BodyReader, store?: SearchStore): SkillSearch {
  let index = searchIndex();
  let kept = keptTerms(store);
  const takeTurn = turnTaking();
  const shownIn = new WeakMap<CatalogSnapshot, ReadonlyMap<string, CatalogSkill>>();
  let indexed: ReadonlyMap<string, CatalogSkill> | undefined;
  let updates: Promise<void> = Promise.resolve();

  async function search(
    snapshot: CatalogSnapshot,
    query: string,
    { limit, signal }: { readonly limit: number; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly SearchHit[]> {
    const shown = shownBy(snapshot);
    // Serialized, so that nothing is read twice.
    const update = updates.then(() => bringUpToDate(shown, signal));
    // Its failure is thrown by the await below.
    updates = update.catch(() => undefined);
    await untilAborted(update, signal);
    return index.search(query, shown, limit);
  }

  function shownBy(snapshot: CatalogSnapshot): ReadonlyMap<string, CatalogSkill> {
    const known = shownIn.get(snapshot) ?? new Map(snapshot.skills.map((skill) => [keyOf(skill), skill]));
    shownIn.set(snapshot, known);
    return known;
  }

  async function bringUpToDate(
    shown: ReadonlyMap<string, CatalogSkill>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    checkAborted(signal);
    if (shown === indexed) return;
    const missing = [...shown].filter(([key]) => !index.has(key));
    const [target, known] = [index, kept];
    const keys = missing.map(([key]) => key);
    await known.load(keys, target.words);
    await forEachLimited(missing, READ_AT_ONCE, async ([key, skill]) => {
      checkAborted(signal);
      const isSearched = bodies.isSearched(skill);
      const terms = isSearched ? known.find(key) : undefined;
      // A skill whose body cannot be read is found by its description. Loading it reports the reason.
      const body = isSearched && !terms ? await bodies.read(skill, signal).catch(() => undefined) : undefined;
      await takeTurn();
      checkAborted(signal);
      if (terms) return target.restore(key, terms);
      const found = target.add(key, skill, body);
      if (body !== undefined) known.note(key, found);
    });
    known.save(target.words);
    if (target.size > 2 * shown.size + ROOM) await target.keepOnly(shown);
    if (target === index) indexed = shown;
  }

  return {
    search,
    saved: () => kept.saved(),
    clear: () => {
      index = searchIndex();
      kept = keptTerms(store);
      indexed = undefined;
    },
  };
}

/** Number of outdated or foreign skills that are tolerated before the index is cleaned up. */
const ROOM = 200;

function keyOf({ source, path, changeMark }: CatalogSkill): string {
  return JSON.stringify([source, path, changeMark]);
}
