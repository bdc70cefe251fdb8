/** Ours over a folder of skills: listing, watching, snapshots. */
import { readFileSync, writeFileSync } from "node:fs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { median } from "../format/statistics.mjs";
import { withLongestStop } from "./longest-stop.mjs";

const { fsRepository } = await import(`${root}/packages/repository-fs/dist/index.js`);
const { skillBox } = await import(`${root}/packages/skillbox/dist/index.js`);

const [answer, directory, edits] = process.argv.slice(2);
const skills = `${directory}/skills`;
writeFileSync(answer, JSON.stringify({ rows: await rows() }));
process.exit();

async function rows() {
  const repository = fsRepository({ root: skills, watch: { handles: 32_768 } });
  const box = skillBox({ own: repository });
  const first = await timed(() => box.snapshot());
  const warm = await several(() => repository.list());
  const unwatched = await several(() => box.snapshot());
  const watching = await timed(() => repository.watch(() => undefined));
  const list = await several(() => repository.list());
  const check = await several(() => box.snapshot());
  const stale = await staleListings(repository);
  const peak = process.resourceUsage().maxRSS / 1024;
  return [
    ["first snapshot", ms(first.took), ""],
    ["longest stop in it", ms(first.longest), "20 ms"],
    ["list again, not watched", ms(warm), ""],
    ["snapshot again, not watched", ms(unwatched), ""],
    ["beginning to watch", ms(watching.took), ""],
    ["longest stop in it", ms(watching.longest), "20 ms"],
    ["list again, watched", ms(list), "5 ms"],
    ["snapshot check, watched", ms(check), "1 ms"],
    [`stale lists right after ${edits} edits`, stale, "0"],
    ["peak memory of all that", `${peak.toFixed(0)} MB`, "120 MB"],
  ];
}

async function timed(work) {
  const started = performance.now();
  const { longest } = await withLongestStop(work);
  return { took: performance.now() - started, longest };
}

async function several(work) {
  const times = [];
  for (let round = 0; round < 15; round++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}

/** Edits a file of one of 20 skills, half of them a script, and lists at once. */
async function staleListings(repository) {
  let stale = 0;
  const marks = async () =>
    new Map((await repository.list()).skills.map(({ path, changeMark }) => [path, changeMark]));
  let before = await marks();
  const editable = [...before.keys()].slice(0, 20);
  const texts = editable.map((path) => readFileSync(`${skills}/${path}/SKILL.md`, "utf8"));
  for (let edit = 0; edit < Number(edits); edit++) {
    const index = edit % editable.length;
    if (edit % 2) writeFileSync(`${skills}/${editable[index]}/scripts/run.sh`, `echo ${edit}\n`);
    else writeFileSync(`${skills}/${editable[index]}/SKILL.md`, `${texts[index]}\n${edit}\n`);
    const after = await marks();
    if (after.get(editable[index]) === before.get(editable[index])) stale++;
    before = after;
  }
  return stale;
}

function ms(value) {
  return `${value.toFixed(2)} ms`;
}
