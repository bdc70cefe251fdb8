import { mkdirSync, writeFileSync } from "node:fs";
import { syntheticSkills } from "../format/synthetic-skills.mjs";

/** Made skills of a fixed seed in `<directory>/skills`, each with a script; `index.json` has what is expected. Gives how many load. */
export function layOutSkills(directory, count) {
  const skills = syntheticSkills(count);
  for (const [index, { content }] of skills.entries()) {
    const folder = `${directory}/skills/skill-${index}`;
    mkdirSync(`${folder}/scripts`, { recursive: true });
    writeFileSync(`${folder}/SKILL.md`, content);
    writeFileSync(`${folder}/scripts/run.sh`, "echo run\n");
  }
  const expected = skills.map((skill) => skill.expected);
  writeFileSync(`${directory}/index.json`, JSON.stringify(expected));
  return expected.filter((description) => description !== null).length;
}
