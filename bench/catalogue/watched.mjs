/** Measures ours over a directory of skills, in its own process: listing, watching, snapshots, the overview, search. */

import { writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { built } from "../built.mjs";
import { median } from "../format/statistics.mjs";
import { withLongestStop } from "./longest-stop.mjs";
import { measureSearch } from "./measure-search.mjs";
import { staleLists } from "./stale-lists.mjs";

const [{ fsRepository }, { skillBox }, { injector }] = await Promise.all(
  ["repository-fs", "skillbox", "injector"].map(built),
);
const [answer, directory, changes] = process.argv.slice(2);
const skills = `${directory}/skills`;
writeFileSync(answer, JSON.stringify(await measured()));
process.exit();

/** Times in milliseconds, memory in MB. */
async function measured() {
  const repository = fsRepository({ root: skills, watch: { handles: 32_768 } });
  const box = skillBox({ own: repository });
  const first = await timed(() => box.snapshot());
  const firstPeak = peak();
  const listUnwatched = await several(() => repository.list());
  const statting = await several(statAll);
  const staleUnwatched = await staleLists(repository, { skills, changes: Number(changes), mark: "a" });
  const watch = await timed(() => repository.watch(() => undefined));
  const list = await several(() => repository.list());
  const snapshot = await several(() => box.snapshot());
  const seen = await box.snapshot();
  const overview = overviewOf(seen, {});
  const overviewWhole = overviewOf(seen, { maxCharacters: 100_000_000, maxSkills: seen.skills.length });
  const search = await measureSearch(box, skills);
  const staleWatched = await staleLists(repository, { skills, changes: Number(changes), mark: "b" });
  return {
    ...{ first: first.took, firstStop: first.longest, firstPeak, listUnwatched, statting, staleUnwatched },
    ...{ watch: watch.took, watchStop: watch.longest, list, snapshot, staleWatched },
    ...{ overview, overviewWhole, ...search, peak: peak() },
  };
}

async function timed(work) {
  const started = performance.now();
  const { longest } = await withLongestStop(work);
  return { took: performance.now() - started, longest };
}

async function several(work) {
  const times = [];
  for (let round = 0; round < 9; round++) times.push((await timed(work)).took);
  return median(times);
}

async function statAll() {
  const names = await readdir(skills);
  for (let start = 0; start < names.length; start += 16)
    await Promise.all(names.slice(start, start + 16).map((name) => stat(`${skills}/${name}/SKILL.md`)));
}

/** Each time with a new injector, which has nothing cached. */
function overviewOf(snapshot, options) {
  const times = Array.from({ length: 9 }, () => {
    const inject = injector(options);
    const started = performance.now();
    inject.overview({ snapshot });
    return performance.now() - started;
  });
  return median(times);
}

function peak() {
  return process.resourceUsage().maxRSS / 1024;
}
