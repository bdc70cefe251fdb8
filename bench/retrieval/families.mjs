import { allWords } from "./words.mjs";

const WORDS = 4;
const ENOUGH = 0.5;

/** The family number of each skill: skills of which one shares half of its runs of four words with the other belong together. */
export function families(skills) {
  const runs = skills.map(({ description, body }) => runsOf(`${description}\n${body}`));
  const family = skills.map((_, index) => index);
  for (const [index, mine] of runs.entries())
    for (let other = 0; other < index; other++)
      if (isNear(mine, runs[other])) {
        const [from, to] = [family[index], family[other]];
        for (const [at, one] of family.entries()) if (one === from) family[at] = to;
      }
  return family;
}

function runsOf(text) {
  const words = allWords(text);
  return new Set(words.slice(WORDS - 1).map((_, at) => words.slice(at, at + WORDS).join(" ")));
}

function isNear(one, other) {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const run of few) if (many.has(run)) shared++;
  return few.size > 0 && shared / few.size >= ENOUGH;
}
