import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a skill below `<directory>/skills`: SKILL.md and the given files, `{ path: content }`. */
export function writeSkill(directory, name, files = {}) {
  const home = `${directory}/skills/${name}`;
  mkdirSync(home, { recursive: true });
  writeFileSync(
    `${home}/SKILL.md`,
    `---\nname: ${name}\ndescription: Does what the benchmark asks for.\n---\n\n# ${name}\n`,
  );
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(`${home}/${path}`), { recursive: true });
    writeFileSync(`${home}/${path}`, content);
    if (path.endsWith(".sh")) chmodSync(`${home}/${path}`, 0o755);
  }
  return home;
}

/** The maximum number of files of a skill after the limits were raised: 2,000 bytes each, 50 per directory. */
export function manyFiles(count) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `data/part-${Math.floor(index / 50)}/file-${index}.txt`,
      `${index} `.padEnd(2000, "x"),
    ]),
  );
}
