/** Runs all stages of CI, even after failures, and adds up their counts. */
import "../scripts/modern-node.mjs";
import { countingStage } from "./counting-stage.mjs";
import { useMemoryForTemporaryFiles } from "./memory-directory.mjs";
import { namedLines } from "./named-lines.mjs";
import { report } from "./report.mjs";
import { vitestStage } from "./vitest-stage.mjs";

const node = process.execPath;
/** Runs at low priority, because tests have deadlines. */
const inTheGaps = (/** @type {string} */ program) => countingStage("nice", ["-n", "19", node, program]);

/** Installs and builds, which must not run concurrently. */
const before = [
  { name: "machine", run: countingStage(node, [".ci/check-machine.mjs"]) },
  { name: "npm test prepares", run: countingStage(node, [".ci/check-preparation.mjs"]) },
  { name: "pnpm check", run: countingStage("npm", ["run", "check"]) },
  { name: "npm run demo", run: countingStage(node, [".ci/check-demo.mjs"]) },
];
/** The lanes run concurrently: tests on engines mostly wait, and running one file of them at a time is enough. */
const lanes = [
  [{ name: "engines", run: vitestStage("engines") }],
  [
    { name: "code", run: vitestStage("code", "shared", "stores") },
    { name: "bare machine", run: countingStage(node, [".ci/check-bare.mjs"]) },
  ],
  [
    { name: "supervisor", run: inTheGaps(".ci/check-supervisor.mjs") },
    { name: "API reference", run: inTheGaps("scripts/api-reference.mjs") },
    { name: "HTTP API", run: inTheGaps("scripts/api-fuzzing.mjs") },
    { name: "packed install", run: inTheGaps("test/release/packed-install.mjs") },
    { name: "AI SDK 6", run: inTheGaps("scripts/ai-sdk-6.mjs") },
    { name: "release rehearsal", run: inTheGaps("test/release/release-rehearsal.mjs") },
  ],
];
const started = performance.now();
const giveMemoryBack = await useMemoryForTemporaryFiles();
const results = [...(await oneByOne(before)), ...(await Promise.all(lanes.map(oneByOne))).flat()];
await giveMemoryBack();
process.exitCode = report(results, secondsSince(started)) ? 0 : 1;

async function oneByOne(stages) {
  const results = [];
  for (const { name, run } of stages) {
    console.log(`\n=== ${name}`);
    const started = performance.now();
    const counts = await run(namedLines(name));
    results.push({ name, seconds: secondsSince(started), ...counts });
  }
  return results;
}

function secondsSince(/** @type {number} */ started) {
  return (performance.now() - started) / 1000;
}
