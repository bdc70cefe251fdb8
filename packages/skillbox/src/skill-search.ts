import {
  type CatalogSkill,
  type CatalogSnapshot,
  checkAborted,
  forEachLimited,
  type SearchHit,
  untilAborted,
} from "@skillwright/core";
import { searchIndex } from "./search/search-index.js";
import { turnTaking } from "./search/turn-taking.js";

export interface SkillSearch {
  /**
   * The best of the snapshot's skills, best first: by the share that the words have in the name, the description and the
   * body, in stems of English words, with a word that nobody uses taken for the nearest ones. What changed since the call
   * before is indexed first, others having their turn every few milliseconds; a body is read once for each change mark.
   */
  search(
    snapshot: CatalogSnapshot,
    query: string,
    options: { readonly limit: number; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly SearchHit[]>;
  clear(): void;
}

/** The text after a SKILL.md's header; `undefined` where it is not to be read. A failure counts as that. */
export type ReadBody = (skill: CatalogSkill, signal: AbortSignal | undefined) => Promise<string | undefined>;

const READ_AT_ONCE = 16;

/** One index for any number of views over the same sources; what a view does not show is not found through it. */
export function skillSearch(readBody: ReadBody): SkillSearch {
  let index = searchIndex();
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
    // One after the other, so that nothing is read twice.
    const update = updates.then(() => bringUpToDate(shown, signal));
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
    const target = index;
    await forEachLimited(missing, READ_AT_ONCE, async ([key, skill]) => {
      checkAborted(signal);
      const body = await readBody(skill, signal).catch(() => undefined);
      await takeTurn();
      checkAborted(signal);
      target.add(key, skill, body);
    });
    if (target.size > 2 * shown.size + ROOM) await target.keepOnly(shown);
    if (target === index) indexed = shown;
  }

  return {
    search,
    clear: () => {
      index = searchIndex();
      indexed = undefined;
    },
  };
}

/** Skills of other views and of the past that are let stand before the index is swept. */
const ROOM = 200;

function keyOf({ source, path, changeMark }: CatalogSkill): string {
  return JSON.stringify([source, path, changeMark]);
}
