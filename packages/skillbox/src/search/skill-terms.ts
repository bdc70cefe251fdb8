import type { CatalogSkill } from "@skillwright/core";
import { nameWords, searchWords, type TermOf } from "../search-words.js";

const NAME_WEIGHT = 3;
const DESCRIPTION_WEIGHT = 2;

/**
 * The terms of a skill as one text, since a word is as rare in the name as it is in all of the skill, each with how often
 * it stands there: as the logarithm of its weighted count says, because the tenth time says little more than the ninth.
 */
export function skillTerms(
  { name, description }: CatalogSkill,
  body: string | undefined,
  termOf: TermOf,
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  count(nameWords(name), NAME_WEIGHT);
  count(searchWords(description), DESCRIPTION_WEIGHT);
  count(searchWords(body ?? ""), 1);
  for (const [term, weight] of weights) weights.set(term, Math.round(1 + Math.log2(weight)));
  return weights;

  function count(words: readonly string[], weight: number): void {
    for (const word of words) {
      const term = termOf(word);
      if (term !== null) weights.set(term, (weights.get(term) ?? 0) + weight);
    }
  }
}
