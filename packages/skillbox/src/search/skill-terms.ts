import type { CatalogSkill } from "@skillwright/core";
import { nameWords, searchWords } from "../search-words.js";
import type { TermOf } from "./search-term.js";

/** Found with `bench:retrieval`: more for the name finds more by a word of it, and less by words of the body. */
const NAME = 0.25;
const DESCRIPTION = 0.3;
const BODY = 1;

/** A term with this share of a skill or less stands once. */
const LEAST_SHARE = 1 / 1300;

/**
 * The terms of a skill as one text, since a word is as rare in the name as it is in all of the skill, each with how often it
 * is to stand there: the logarithm of its share of the name, of the description and of the body, weighed and added up. A word
 * that is half of a name stands more often than one that is a hundredth of a description, however long the body is.
 */
export function skillTerms(
  { name, description }: Pick<CatalogSkill, "name" | "description">,
  body: string | undefined,
  termOf: TermOf,
): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  weigh(nameWords(name), NAME);
  weigh(searchWords(description, { lastSigns: true }), DESCRIPTION);
  weigh(searchWords(body ?? "", { lastSigns: true }), BODY);
  for (const [term, share] of shares) shares.set(term, timesOf(share));
  return shares;

  function weigh(words: readonly string[], weight: number): void {
    const terms = words.map(termOf).filter((term) => term !== null);
    const share = weight / terms.length;
    for (const term of terms) shares.set(term, (shares.get(term) ?? 0) + share);
  }
}

function timesOf(share: number): number {
  return Math.max(1, Math.round(1 + 1.5 * Math.log2(share / LEAST_SHARE)));
}
