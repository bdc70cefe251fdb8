/**
 * Workspaces and the local runtime: their cost compared with the programs they start, and their guarantees. Prints Markdown tables;
 * times are shown with our aims and never fail the run. Arguments name the parts to run; all by default.
 */
import { cpus } from "node:os";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { root } from "../scripts/bootstrap/root.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";
import { aimsList } from "./workspace/aims.mjs";
import { measureInOwnProcess } from "./workspace/measure-in-own-process.mjs";
import { catalogueSizesSection } from "./workspace/sections/catalogue-sizes-section.mjs";
import {
  largeOutputSection,
  manyWorkspacesSection,
  residentSection,
  timeoutsSection,
} from "./workspace/sections/limits-section.mjs";
import { packagesSection } from "./workspace/sections/packages-section.mjs";
import { peersSection } from "./workspace/sections/peers-section.mjs";
import { runsSection } from "./workspace/sections/runs-section.mjs";
import { stagingSection } from "./workspace/sections/staging-section.mjs";
import { firstSection, wholeSection } from "./workspace/sections/whole-section.mjs";

const packages = ["core", "repository-fs", "runtime-local", "skillbox", "tools", "workspace"];
const both = [{ isolation: "sandbox" }, { isolation: "none" }];
const sandbox = { isolation: "sandbox" };
const parts = {
  runs: async () => runsSection(await measured("runs", both)),
  whole: async () => wholeSection(await measured("whole", [sandbox])),
  first: firstRuns,
  packages: async () => packagesSection(await measured("packages", both)),
  sizes: async () =>
    catalogueSizesSection(
      await measured(
        "catalogue-sizes",
        [false, true].flatMap((watched) =>
          ["like", "otherwise"].map((named) => ({ ...sandbox, sizes: [1, 1000, 10_000], watched, named })),
        ),
      ),
    ),
  staging: async () => stagingSection(await measured("staging", both), await measured("staging-trace", both)),
  timeouts: async () => timeoutsSection(await measured("timeouts", both)),
  "large-output": async () =>
    largeOutputSection(await measured("large-output", [{ ...sandbox, mebibytes: 2048 }])),
  "many-workspaces": async () =>
    manyWorkspacesSection(
      await measured(
        "many-workspaces",
        [false, true].map((registry) => ({ ...sandbox, registry, count: 1000 })),
      ),
    ),
  resident: async () => residentSection(await measured("resident", both)),
  peers: besidePeers,
};
/** How many processes of each kind are measured. */
const FIRST_RUNS = 15;
const wanted = process.argv.slice(2);
const missing = [];

const unknown = wanted.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  tell(`There is no part ${unknown.join(", ")}. Parts: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}
await prepare({ build: packages.map((name) => `packages/${name}`) });
await report();

async function report() {
  console.log(
    `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores. Every measure has a ` +
      "process of its own; what is compared takes turns.\n",
  );
  const judgements = [];
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const section = await part();
    if (!section) continue;
    console.log(`${section.text}\n`);
    judgements.push(...section.judgements);
  }
  console.log(`### Aims\n\n${aimsList(judgements)}`);
  console.log(
    `\nNot measured: ${missing.length === 0 ? "nothing." : missing.join("; ").replaceAll(`${root}/`, "")}`,
  );
}

/** The result of each measurement; failures are reported at the end. */
async function measured(name, each) {
  const found = [];
  for (const options of each) {
    const answer = await measureInOwnProcess(`${root}/bench/workspace/measures/${name}.mjs`, options);
    if (answer.found) found.push(answer.found);
    else missing.push(`${name} (${JSON.stringify(options)}): ${answer.failure}`);
  }
  return found;
}

async function firstRuns() {
  const [{ directory, recorded }] = await measured("first-run", [{ records: true }]);
  /** @type {Record<"bare" | "first", number[]>} */
  const times = { bare: [], first: [] };
  for (let round = 0; round < FIRST_RUNS; round++) {
    const found = await measured("first-run", [{ recorded }, {}]);
    times.bare.push(found[0].ms);
    times.first.push(found[1].ms);
  }
  await measured("first-run", [{ removes: directory }]);
  return firstSection(times);
}

async function besidePeers() {
  const { compareWithPeers, peerTurns } = await import("./workspace/compare-with-peers.mjs");
  const compared = await compareWithPeers(process.execPath);
  if (compared.notInstalled) missing.push(`the peers: ${compared.notInstalled.split("\n")[0]}`);
  missing.push(...compared.failed);
  return peersSection(compared, peerTurns.rounds);
}
