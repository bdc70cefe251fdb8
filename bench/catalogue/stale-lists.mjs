import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/**
 * Changes the directory manually (SKILL.md, a script, a new directory, a removed one, in turn) and lists immediately. Returns
 * how many of the lists do not show the change.
 */
export async function staleLists(repository, { skills, changes, mark }) {
  let stale = 0;
  let before = await marks(repository);
  const paths = [...before.keys()].slice(0, 20);
  const texts = paths.map((path) => readFileSync(`${skills}/${path}/SKILL.md`, "utf8"));
  for (let count = 0; count < changes; count++) {
    const path = paths[count % paths.length];
    const made = `made-${mark}-${count >> 2}`;
    const [change, isSeen] = [
      [
        () =>
          writeFileSync(`${skills}/${path}/SKILL.md`, `${texts[count % paths.length]}\n${mark}${count}\n`),
        isOther,
      ],
      [() => writeFileSync(`${skills}/${path}/scripts/run.sh`, `echo ${mark}${count % 10}\n`), isOther],
      [() => make(`${skills}/${made}`, made), (after) => after.has(made)],
      [() => rmSync(`${skills}/${made}`, { recursive: true }), (after) => !after.has(made)],
    ][count % 4];
    change();
    const after = await marks(repository);
    if (!isSeen(after, before, path)) stale++;
    before = after;
  }
  return stale;
}

async function marks(repository) {
  return new Map((await repository.list()).skills.map(({ path, changeMark }) => [path, changeMark]));
}

function isOther(after, before, path) {
  return after.has(path) && after.get(path) !== before.get(path);
}

function make(folder, name) {
  mkdirSync(folder);
  writeFileSync(`${folder}/SKILL.md`, `---\nname: ${name}\ndescription: Comes and goes.\n---\nNothing.\n`);
}
