import { seededRandom } from "../format/random.mjs";
import { tellingWords } from "./words.mjs";

/** Three lists of `{ name, query }`: by all words of the name, by one of them, by three words of the description. */
export function wordsThatStand(skills, seed) {
  const random = seededRandom(seed);
  return [
    skills.map(({ name }) => ({ name, query: name.replaceAll("-", " ") })),
    drawn(1, ({ name }) => name),
    drawn(3, ({ description }) => description),
  ];

  function drawn(wanted, textOf) {
    return skills.flatMap((skill) => {
      const words = [...new Set(tellingWords(textOf(skill)))];
      if (words.length < wanted) return [];
      const query = Array.from({ length: wanted }, () => words.splice(words.indexOf(random.pick(words)), 1));
      return [{ name: skill.name, query: query.join(" ") }];
    });
  }
}
