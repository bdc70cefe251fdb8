/**
 * How well search finds a skill by words that were removed from it, compared with the search library's defaults, and its
 * cost. Prints Markdown tables; figures are shown with our aims and never fail the run.
 */

import { cpus } from "node:os";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";
import { built } from "./built.mjs";
import { markdownTable } from "./format/markdown-table.mjs";
import { median, quantile } from "./format/statistics.mjs";
import { syntheticSkills } from "./format/synthetic-skills.mjs";
import { corpusSkills } from "./retrieval/corpus-skills.mjs";
import { families } from "./retrieval/families.mjs";
import { questions } from "./retrieval/questions.mjs";
import { wordsThatStand } from "./retrieval/words-that-stand.mjs";

const SEEDS = [1, 2, 3, 4, 5];

await prepare({ build: ["packages/core", "packages/repository-memory", "packages/skillbox"] });
const { parseSkill } = await built("core");
const { contestants } = await import("./retrieval/contestants.mjs");
const { title, skills } = corpusSkills(parseSkill);
const family = families(skills);
const familyOf = new Map(skills.map(({ name }, at) => [name, family[at]]));

console.log(
  `Node ${process.versions.node}, ${cpus().length} cores; ${title}: ${skills.length} skills in ${new Set(family).size} families, ` +
    `seeds ${SEEDS.join(", ")}.\n`,
);
const found = [];
const standing = [];
for (const contestant of contestants) {
  tell(`  ${contestant.title.replaceAll("*", "")}`);
  found.push(await measured(contestant));
  standing.push(await byWhatStands(contestant));
}
console.log("### Found again, of all questions\n");
console.log(
  `${markdownTable(
    ["", "first, %", "in the first five, %", "questions", "index, ms", "query p50, ms", "p95, ms"],
    found.map(row),
  )}\n`,
);
console.log("### Found by words that stand in it: first, %\n");
console.log(
  `${markdownTable(["", "all of its name", "one of its name", "three of its description"], standing)}\n`,
);
console.log("### 1,000 made skills\n");
const thousand = syntheticSkills(1000).flatMap(({ folder, content }, at) => {
  const { skill } = parseSkill(content, { directoryName: folder });
  return skill ? [{ name: `${skill.name}-${at}`, description: skill.description, body: skill.body }] : [];
});
console.log(
  markdownTable(
    ["", "index, ms", "longest stop, ms", "query p50, ms", "p95, ms", "of that the snapshot"],
    await thousandRows(),
  ),
);
const [ours] = found;
console.log(
  [
    "\n### Aims\n",
    aim("first in 90 %", ours.first >= 90, `${ours.first.toFixed(1)} %`),
    aim("in the first five in 98 %", ours.five >= 98, `${ours.five.toFixed(1)} %`),
  ].join("\n"),
);

async function measured(contestant) {
  const positions = [];
  const indexMs = [];
  const queryMs = [];
  for (const seed of SEEDS) {
    const asked = questions(skills, seed);
    const index = await contestant.index(asked.map(({ skill }) => skill));
    indexMs.push(index.indexMs);
    for (const { skill, query } of asked) {
      if (query === undefined) continue;
      const started = performance.now();
      const names = await index.search(query);
      queryMs.push(performance.now() - started);
      positions.push(names.findIndex((name) => familyOf.get(name) === familyOf.get(skill.name)));
    }
  }
  const share = (most) => (100 * positions.filter((at) => at >= 0 && at < most).length) / positions.length;
  return {
    ...{ title: contestant.title, first: share(1), five: share(5), count: positions.length },
    ...{ indexMs: median(indexMs), queryMs },
  };
}

/** Queries with words that are still in the skill; improvements elsewhere must not make these worse. */
async function byWhatStands(contestant) {
  const asked = questions(skills, SEEDS[0]).map(({ skill }) => skill);
  const { search } = await contestant.index(asked);
  const shares = [];
  for (const kind of wordsThatStand(asked, SEEDS[0])) {
    let first = 0;
    for (const { name, query } of kind) {
      const [best] = await search(query);
      if (familyOf.get(best) === familyOf.get(name)) first++;
    }
    shares.push(((100 * first) / kind.length).toFixed(1));
  }
  return [contestant.title, ...shares];
}

function row({ title: name, first, five, count, indexMs, queryMs }) {
  return [name, first.toFixed(1), five.toFixed(1), count, indexMs.toFixed(0), ...times(queryMs)];
}

async function thousandRows() {
  const asked = questions(thousand, 1);
  const rows = [];
  for (const contestant of contestants.slice(0, 4)) {
    const indexed = [];
    for (let count = 0; count < 5; count++) indexed.push(await contestant.index(thousand));
    const indexMs = median(indexed.map((one) => one.indexMs));
    const { search, look } = indexed[0];
    const stop = look ? median(indexed.map((one) => one.longest)) : indexMs;
    const queryMs = [];
    for (const { query } of asked) {
      if (query === undefined) continue;
      const started = performance.now();
      await search(query);
      queryMs.push(performance.now() - started);
    }
    rows.push([
      ...[contestant.title, indexMs.toFixed(0), stop.toFixed(0), ...times(queryMs)],
      look ? await looking(look) : "",
    ]);
  }
  return rows;
}

async function looking(look) {
  const times = [];
  for (let count = 0; count < 30; count++) {
    const started = performance.now();
    await look();
    times.push(performance.now() - started);
  }
  return median(times).toFixed(2);
}

function times(values) {
  return [median(values).toFixed(2), quantile(values, 0.95).toFixed(2)];
}

function aim(text, met, figure) {
  return `- ${met ? "met" : "**not met**"} (aim): ${text}: ${figure}`;
}
