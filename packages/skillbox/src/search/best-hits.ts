import type { CatalogSkill, SearchHit } from "@skillwright/core";

interface Ranking {
  /** By the number of a skill. */
  readonly scores: Float64Array;
  readonly limit: number;
  /** `undefined` for a skill that is not shown. */
  readonly skillOf: (number: number) => CatalogSkill | undefined;
}

/** The best of the found skills, equal ones by name. Most of thousands are compared with the last of the best alone. */
export function bestHits(found: readonly number[], { scores, limit, skillOf }: Ranking): SearchHit[] {
  const best: SearchHit[] = [];
  for (const number of found) {
    const score = scores[number] ?? 0;
    const last = best[limit - 1];
    if (limit < 1 || (last && last.score > score)) continue;
    const skill = skillOf(number);
    if (skill) place(best, { skill, score }, limit);
  }
  return best;
}

function place(best: SearchHit[], hit: SearchHit, limit: number): void {
  let low = 0;
  for (let high = best.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (isBefore(best[middle] as SearchHit, hit)) low = middle + 1;
    else high = middle;
  }
  best.splice(low, 0, hit);
  if (best.length > limit) best.pop();
}

function isBefore(a: SearchHit, b: SearchHit): boolean {
  return a.score !== b.score ? a.score > b.score : a.skill.name < b.skill.name;
}
