import type { CatalogSkill } from "@skillwright/core";
import { nameWords, searchWords } from "../search-words.js";
import type { TermOf } from "./search-term.js";

/**
 * Determined with `bench:retrieval`: a greater weight of the name finds more by words of names, and less by words of
 * the body.
 */
const NAME = 0.25;
const DESCRIPTION = 0.3;
const BODY = 1;

/** A term with at most this share of a skill is written once. */
const LEAST_SHARE = 1 / 1300;

/**
 * The terms of a skill as one text, so that a word is equally rare in names and in bodies. Each term is repeated
 * according to the logarithm of its weighted shares of name, description and body. A word that is half of a name is
 * repeated more often than one that is a hundredth of a description, however long the body is.
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
