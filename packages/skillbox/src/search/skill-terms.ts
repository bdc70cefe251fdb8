import type { CatalogSkill } from "@skillwright/core";
import { eachWord, nameWords } from "../search-words.js";
import type { Vocabulary } from "./vocabulary.js";

/**
 * Determined with `bench:retrieval`: a greater weight of the name finds more by words of names, and less by words of
 * the body.
 */
const NAME = 0.25;
const DESCRIPTION = 0.3;
const BODY = 1;

/** A term with at most this share of a skill is written once. */
const LEAST_SHARE = 1 / 1300;

/** Receives a term, by its number, and how often it is repeated: from 1 to 17. */
type TakeTerm = (term: number, times: number) => void;

/** Calls `take` for each term of a skill. `undefined` stands for a body that is not searched. */
export type SkillTerms = (
  skill: Pick<CatalogSkill, "name" | "description">,
  body: string | undefined,
  take: TakeTerm,
) => void;

/**
 * The terms of a skill as one text, so that a word is equally rare in names and in bodies. Each term is repeated
 * according to the logarithm of its weighted shares of name, description and body. A word that is half of a name is
 * repeated more often than one that is a hundredth of a description, however long the body is.
 */
export function skillTerms(vocabulary: Vocabulary): SkillTerms {
  // By the number of a term: arrays, because a map for each skill would take most of the time.
  const counts: number[] = [];
  const shares: number[] = [];
  const inPart: number[] = [];
  const inSkill: number[] = [];
  let total = 0;

  function count(word: string): void {
    const term = vocabulary.termOf(word);
    if (term === undefined) return;
    total++;
    const before = counts[term] ?? 0;
    if (before === 0) inPart.push(term);
    counts[term] = before + 1;
  }

  /** Adds what was counted since. */
  function weigh(weight: number): void {
    for (const term of inPart) {
      const before = shares[term] ?? 0;
      if (before === 0) inSkill.push(term);
      shares[term] = before + (weight * (counts[term] ?? 0)) / total;
      counts[term] = 0;
    }
    inPart.length = 0;
    total = 0;
  }

  return ({ name, description }, body, take) => {
    for (const word of nameWords(name)) count(word);
    weigh(NAME);
    eachWord(description, true, count);
    weigh(DESCRIPTION);
    eachWord(body ?? "", true, count);
    weigh(BODY);
    for (const term of inSkill) {
      take(term, timesOf(shares[term] ?? 0));
      shares[term] = 0;
    }
    inSkill.length = 0;
  };
}

function timesOf(share: number): number {
  return Math.max(1, Math.round(1 + 1.5 * Math.log2(share / LEAST_SHARE)));
}
