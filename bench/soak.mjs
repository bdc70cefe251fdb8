/**
 * Long repetitions: kills, loads and races, seeded. Each soak is a file in bench/soaks, and `.ci/run all` runs 1 % of it.
 *
 *   pnpm soak                      lists the soaks
 *   pnpm soak NAME [--seed 1] [--share 1]
 *
 * Exit code 1 if a soak finds a fault, 2 for an invalid call.
 */
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";

const directory = new URL("./soaks/", import.meta.url);
const names = readdirSync(directory).map((file) => file.replace(/\.mjs$/, ""));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" }, share: { type: "string", default: "1" } },
});
const [name] = positionals;
const [seed, share] = [Number(values.seed), Number(values.share)];
if (name === undefined || !names.includes(name) || !Number.isSafeInteger(seed) || !(share > 0)) {
  if (name === undefined) tell(`Soaks: ${names.join(", ")}`);
  else tell(`Usage: pnpm soak ${names.join("|")} [--seed WHOLE_NUMBER] [--share NUMBER_ABOVE_0]`);
  process.exit(name === undefined ? 0 : 2);
}
await prepare();
// Imported here, because the packages are built only now.
const { soak } = await import(`./soaks/${name}.mjs`);
const started = performance.now();
try {
  const result = await soak({ seed, share, tell });
  console.log(`${name}, seed ${seed}, share ${share}: ${result} (${seconds()})`);
} catch (error) {
  console.error(`${name}, seed ${seed}, share ${share}: failed (${seconds()})`, error);
  process.exitCode = 1;
}

function seconds() {
  return `${((performance.now() - started) / 1000).toFixed(0)} s`;
}
