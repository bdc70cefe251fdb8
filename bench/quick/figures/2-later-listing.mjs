import { readdir, stat } from "node:fs/promises";
import { built } from "../../built.mjs";
import { besideFloor } from "../rounds.mjs";

const { fsRepository } = await built("repository-fs");

/** A third and later listing that is not watched, beside a stat of each SKILL.md, 16 at a time. */
export async function measure({ few, many }) {
  const figures = {};
  for (const [title, root] of [
    ["later listing of 1,000", few],
    ["later listing of 10,000", many],
  ]) {
    const repository = fsRepository({ root });
    for (let count = 0; count < 3; count++) await repository.list();
    figures[title] = await besideFloor(
      9,
      () => repository.list().then(() => undefined),
      () => statEach(root),
    );
    await repository.close();
  }
  return figures;
}

async function statEach(root) {
  const names = await readdir(root);
  for (let start = 0; start < names.length; start += 16)
    await Promise.all(names.slice(start, start + 16).map((name) => stat(`${root}/${name}/SKILL.md`)));
}
