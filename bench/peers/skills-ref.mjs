import { readdir } from "node:fs/promises";
import { parseFrontmatter, readProperties } from "skills-ref";

export default {
  package: "skills-ref",
  diagnostics: "thrown",
  text: (content) => parseFrontmatter(content),
  folders: read,
  description: (skill) => (Array.isArray(skill) ? skill[0] : skill).description,
};

async function read(directory) {
  const skills = [];
  for (const name of await readdir(directory)) {
    try {
      skills.push(await readProperties(`${directory}/${name}`));
    } catch {
      // Refused skills are not among the found ones.
    }
  }
  return skills;
}
