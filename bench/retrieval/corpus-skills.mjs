import { existsSync, readFileSync } from "node:fs";
import { syntheticSkills } from "../format/synthetic-skills.mjs";

/**
 * The real skills of the shared corpus, if `SKILLWRIGHT_SHARED` names the directory with `corpus/`; otherwise 300 generated ones,
 * which say nothing about the quality of the search.
 *
 * @returns `{ title, skills }` with `{ name, description, body }` each, with unique names
 */
export function corpusSkills(parseSkill) {
  const shared = process.env.SKILLWRIGHT_SHARED;
  const [title, texts] =
    shared && existsSync(`${shared}/corpus/expected.json`)
      ? ["the real skills of the shared corpus", realTexts(`${shared}/corpus`)]
      : ["made skills (SKILLWRIGHT_SHARED names no folder with a corpus)", syntheticSkills(300)];
  const taken = new Set();
  const skills = texts.flatMap(({ folder, content }) => {
    const { skill } = parseSkill(content, { directoryName: folder });
    if (!skill) return [];
    let name = skill.name;
    for (let count = 2; taken.has(name); count++) name = `${skill.name}-${count}`;
    taken.add(name);
    return [{ name, description: skill.description, body: skill.body }];
  });
  return { title, skills };
}

function realTexts(corpus) {
  const { skills } = JSON.parse(readFileSync(`${corpus}/expected.json`, "utf8"));
  return skills
    .filter(({ origin }) => origin === "real")
    .map(({ path }) => ({
      folder: path.split("/").at(-2),
      content: readFileSync(`${corpus}/skills/${path}`),
    }));
}
