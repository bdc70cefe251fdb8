/**
 * Measures a few figures of speed in 90 seconds, each as a ratio to a bare floor in the same run, and prints them beside the
 * last recorded ones of `bench/figures.json`. A slow figure never fails the run. `--record` adds the figures to that file, for
 * a run on an idle machine with everything committed, and draws `docs/speed.svg`. `--seconds 300` gives a busy machine more time.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";
import { layOutSkills } from "./catalogue/lay-out-skills.mjs";
import { comparedFigures } from "./quick/compared-figures.mjs";
import { lastRecord, record } from "./quick/records.mjs";

const SIZES = [1000, 10_000];
const { values } = parseArgs({
  options: { record: { type: "boolean", default: false }, seconds: { type: "string", default: "90" } },
});

await prepare({
  build: ["injector", "repository-fs", "repository-memory", "runtime-local", "skillbox", "workspace"].map(
    (name) => `packages/${name}`,
  ),
});
const until = performance.now() + Number(values.seconds) * 1000;
const directory = mkdtempSync(`${tmpdir()}/skillwright-quick-`);
const figures = {};
try {
  for (const size of SIZES) layOutSkills(`${directory}/${size}`, size);
  for (const name of readdirSync(new URL("quick/figures", import.meta.url)).sort()) {
    const { measure } = await import(`./quick/figures/${name}`);
    if (performance.now() > until) tell(`  ${name}: not measured, ${values.seconds} s are over`);
    else Object.assign(figures, await measured(measure, name));
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
console.log(comparedFigures(figures, lastRecord()));
if (values.record) record(figures);

/** What one module measures; nothing where it fails, because figures are information. */
async function measured(measure, name) {
  try {
    return await measure({ few: `${directory}/${SIZES[0]}/skills`, many: `${directory}/${SIZES[1]}/skills` });
  } catch (error) {
    tell(`  ${name}: not measured: ${error instanceof Error ? error.message : error}`);
    return {};
  }
}
