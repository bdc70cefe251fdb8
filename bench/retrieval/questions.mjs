import { seededRandom } from "../format/random.mjs";
import { tellingWords } from "./words.mjs";

const TAKEN_OUT = 0.3;

/**
 * Removes 30 % of the sentences of the description and body of each skill, and draws 6 to 10 different words from the removed
 * ones. A skill with fewer removed words has no query.
 */
export function questions(skills, seed) {
  const random = seededRandom(seed);
  return skills.map(({ name, description, body }) => {
    const ofDescription = takeOut(description, random);
    const ofBody = takeOut(body, random);
    return {
      skill: { name, description: ofDescription.left, body: ofBody.left },
      query: drawn(tellingWords(`${ofDescription.out}\n${ofBody.out}`), random),
    };
  });
}

function takeOut(text, random) {
  const sentences = text
    .split(/(?<=[.!?。！？])\s+|(?<=[。！？])|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}{2}/u.test(sentence));
  const rest = [...sentences.keys()];
  const out = new Set();
  for (let count = Math.round(sentences.length * TAKEN_OUT); count > 0; count--)
    out.add(takeOne(rest, random));
  return {
    left: sentences.filter((_, at) => !out.has(at)).join("\n"),
    out: sentences.filter((_, at) => out.has(at)).join("\n"),
  };
}

function drawn(words, random) {
  const wanted = random.pick([6, 7, 8, 9, 10]);
  const rest = [...words];
  const query = new Set();
  while (query.size < wanted && rest.length > 0) query.add(takeOne(rest, random));
  return query.size >= 6 ? [...query].join(" ") : undefined;
}

function takeOne(list, random) {
  const at = random.pick([...list.keys()]);
  return list.splice(at, 1)[0];
}
