import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { probeSkill } from "./kept-fields.mjs";
import { syntheticSkills } from "./synthetic-skills.mjs";

/**
 * Lays the corpus out below `directory`: `skills/<folder>/<file>`, `index.json` with the expected result of each, and
 * `probe/`. It is the shared one of `SKILLWRIGHT_SHARED` if that is set, otherwise 1,000 generated ones of a fixed seed.
 *
 * @returns `{ title, count, loadable }`
 */
export function layOutCorpus(directory) {
  const shared = process.env.SKILLWRIGHT_SHARED;
  const [title, skills] =
    shared && existsSync(`${shared}/corpus/expected.json`)
      ? ["the shared corpus", sharedSkills(`${shared}/corpus`)]
      : ["a synthetic corpus (SKILLWRIGHT_SHARED names no folder with one)", syntheticSkills(1000)];
  const taken = new Set();
  const index = skills.map(({ folder, file, content, expected }) => {
    const unique = untaken(folder, taken);
    write(`${directory}/skills/${unique}/${file}`, content);
    return { directory: unique, file, expected };
  });
  write(`${directory}/index.json`, JSON.stringify({ skills: index }));
  write(`${directory}/probe/probe/SKILL.md`, probeSkill);
  return {
    title,
    count: skills.length,
    loadable: skills.filter(({ expected }) => expected !== null).length,
  };
}

function sharedSkills(corpus) {
  const { skills } = JSON.parse(readFileSync(`${corpus}/expected.json`, "utf8"));
  return skills.map(({ path, lenient }) => {
    const [folder, file] = path.split("/").slice(-2);
    const content = readFileSync(`${corpus}/skills/${path}`);
    return { folder, file, content, expected: lenient.loadable ? lenient.description : null };
  });
}

/** Makes directory names unique, since two directories of the corpus can have the same name. */
function untaken(folder, taken) {
  let name = folder;
  for (let count = 2; taken.has(name); count++) name = `${folder}-${count}`;
  taken.add(name);
  return name;
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
