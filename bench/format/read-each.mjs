import { readdir, readFile } from "node:fs/promises";

const atOnce = 16;

/**
 * The loop that a user writes around a function for one text: reads SKILL.md of every directory, 16 at a time, and
 * omits missing or refused ones. `parse` can throw or return undefined to refuse.
 */
export async function readEach(directory, parse) {
  const names = await readdir(directory);
  const skills = [];
  for (let start = 0; start < names.length; start += atOnce) {
    const batch = names.slice(start, start + atOnce);
    skills.push(...(await Promise.all(batch.map((name) => read(directory, name, parse)))));
  }
  return skills.filter((skill) => skill !== undefined);
}

async function read(directory, name, parse) {
  try {
    return parse(await readFile(`${directory}/${name}/SKILL.md`, "utf8"), name);
  } catch {
    return undefined;
  }
}
