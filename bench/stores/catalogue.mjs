import { seededRandom } from "../format/random.mjs";
import { syntheticSkills } from "../format/synthetic-skills.mjs";

export const SKILLS = 10_000;

const noise = Buffer.alloc(1024 * 1024, "A line of a file that goes with a skill.\n");

/**
 * Generates complete skills with realistic sizes, the same in every run: SKILL.md, and in two of three other files.
 *
 * @returns `{ folder, files: [{ path, bytes }] }` each, SKILL.md first; the bytes of other files are shared
 */
export function catalogue(count = SKILLS) {
  const random = seededRandom(6);
  return syntheticSkills(count).map(({ folder, file, content }) => ({
    folder,
    files: [{ path: file, bytes: Buffer.from(content) }, ...otherFiles(random)],
  }));
}

function otherFiles(random) {
  const count = random.chance(0.316) ? 0 : random.logNormal(1.02, 0.99, 1, 500);
  return Array.from({ length: count }, (_, index) => {
    const place = random.shared([
      ["references/part.md", 0.42],
      ["scripts/step.py", 0.28],
      ["assets/form.txt", 0.08],
      ["note.md", 1],
    ]);
    const bytes = noise.subarray(0, random.logNormal(7.98, 1.49, 1, noise.byteLength));
    return { path: place.replace(".", `-${index}.`), bytes };
  });
}
