/**
 * The soak: random work on shared workspaces by 8 workers in 2 processes, which are killed now and then. At the end
 * nothing that was acknowledged may be lost, and nothing left. Exit code 1 where something was.
 *
 *   node bench/soak.mjs [--minutes 10] [--seed 1] [--keep]
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { prepare } from "../scripts/bootstrap/prepare.mjs";
import { tell } from "../scripts/bootstrap/step.mjs";

const packages = ["core", "repository-fs", "runtime-local", "skillbox", "workspace"];
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string" },
    // Leave everything where it is afterwards, to look at it.
    keep: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? randomInt(1, 1_000_000));
if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
  tell("Give --minutes a number above 0 and --seed a whole number.");
  process.exit(2);
}
await prepare({ build: packages.map((name) => `packages/${name}`) });
// Only now: what it imports is built by then.
const { soak } = await import("./soak/soak.mjs");
process.exitCode = (await soak({ minutes, seed, keep: values.keep })) ? 0 : 1;
