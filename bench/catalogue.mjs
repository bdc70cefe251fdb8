/**
 * Compares finding skills with other packages in 1,000 and 10,000 directories, also with few file handles, and measures
 * the catalogue over them. Prints Markdown tables; a slow time never fails the run. `--skills 1000 --rounds 3 --processes 1`
 * makes a short run.
 */
import { readdirSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { root } from "../scripts/bootstrap/root.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";
import { report } from "./catalogue/report.mjs";
import { installPeers } from "./format/install-peers.mjs";

const { values } = parseArgs({
  options: {
    skills: { type: "string", default: "1000,10000" },
    rounds: { type: "string", default: "7" },
    processes: { type: "string", default: "3" },
  },
});
const started = performance.now();
await prepare({ build: ["injector", "repository-fs", "skillbox"].map((name) => `packages/${name}`) });
const notInstalled = await installPeers();
const peers = notInstalled
  ? []
  : readdirSync(`${root}/bench/peers`)
      .filter((name) => name.endsWith(".mjs"))
      .map((name) => `${root}/bench/peers/${name}`);
console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} cores.\n`);
await report({
  ...{ peers, node: process.execPath, counts: values.skills.split(",").map(Number) },
  ...{ rounds: Number(values.rounds), processes: Number(values.processes) },
});
if (notInstalled) console.log(`\nNot measured: the peers: ${notInstalled.split("\n")[0]}`);
tell(`Done in ${((performance.now() - started) / 60_000).toFixed(1)} minutes.`);
