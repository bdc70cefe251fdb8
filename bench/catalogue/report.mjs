import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { root } from "../../scripts/bootstrap/root.mjs";
import { tell } from "../../scripts/bootstrap/step.mjs";
import { aimsList } from "../workspace/aims.mjs";
import { discovery } from "./discovery.mjs";
import { discoveryTable, fasterThanPeers } from "./discovery-table.mjs";
import { layOutSkills } from "./lay-out-skills.mjs";
import { measureOurs } from "./measure-ours.mjs";

const OURS = `${root}/bench/format/skillwright-list.mjs`;
/** The seconds after which no further round begins, for 1,000 skills and for more. */
const SECONDS = { few: 90, many: 270 };

/** Prints each table as Markdown when it is finished. */
export async function report({ peers, node, counts, rounds, processes }) {
  const judgements = [];
  for (const count of counts) {
    const directory = mkdtempSync(`${tmpdir()}/skillwright-catalogue-`);
    try {
      const loadable = layOutSkills(directory, count);
      tell(`Finding ${count} skills`);
      const isMany = count > 1000;
      const seconds = isMany ? SECONDS.many : SECONDS.few;
      const modules = [OURS, ...peers];
      const most = isMany ? Math.min(3, rounds) : rounds;
      const found = await discovery({ modules, directory, node, rounds: most, seconds });
      judgements.push(...judged(fasterThanPeers(found.results), count));
      console.log(`### Finding ${count} skills, of which ${loadable} load: ${found.rounds} rounds\n`);
      console.log(`${discoveryTable(found.results, loadable)}\n`);
      if (found.failures.length > 0) console.log(`Not measured: ${found.failures.join("; ")}\n`);
      const ours = await measureOurs({ directory, node, count, processes: isMany ? 1 : processes });
      console.log(`### The catalogue over ${count} skills\n\n${ours.table}\n`);
      judgements.push(...ours.judgements);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  console.log(`### Aims\n\n${aimsList(judgements)}`);
}

function judged(judgement, count) {
  return judgement ? [{ ...judgement, what: `${count} skills: ${judgement.what}` }] : [];
}
