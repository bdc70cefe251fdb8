import { seededRandom } from "../format/random.mjs";
import { words } from "../format/synthetic-text.mjs";

/** A skill whose description contains its round. */
export function skillOfRound(name, round) {
  const content = `---\nname: ${name}\ndescription: Does what the benchmark asks for in round ${round}.\n---\n\n# ${name}\n`;
  return [{ path: "SKILL.md", content }];
}

/** A skill of 50 files of realistic sizes. */
export function skillOfFiftyFiles(name) {
  const random = seededRandom(50);
  const more = Array.from({ length: 49 }, (_, index) => ({
    path: `references/part-${index}.md`,
    content: words(random, random.logNormal(7.98, 1.49, 100, 200_000)),
  }));
  return [...skillOfRound(name, 0), ...more];
}
