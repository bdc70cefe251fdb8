import { mkdirSync, writeFileSync } from "node:fs";
import { syntheticSkills } from "../format/synthetic-skills.mjs";

/**
 * Generates skills of a fixed seed in `<directory>/skills`, each with a script; `index.json` has the expected results. Every
 * directory is named like its skill, in standard characters, since some loaders refuse others. Returns how many load.
 */
export function layOutSkills(directory, count) {
  const skills = syntheticSkills(count).map(named);
  for (const { name, content } of skills) {
    const folder = `${directory}/skills/${name}`;
    mkdirSync(`${folder}/scripts`, { recursive: true });
    writeFileSync(`${folder}/SKILL.md`, content);
    writeFileSync(`${folder}/scripts/run.sh`, "echo run\n");
  }
  const expected = skills.map((skill) => skill.expected);
  writeFileSync(`${directory}/index.json`, JSON.stringify(expected));
  return expected.filter((description) => description !== null).length;
}

const NAME = /^(\ufeff?---\r?\nname: )(.+?)(\r?\n)/;

function named({ folder, content, expected }) {
  const written = NAME.exec(content)?.[2] ?? folder;
  const name = written
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(-64)
    .replace(/^-/, "");
  return { name, content: content.replace(NAME, `$1${name}$3`), expected };
}
