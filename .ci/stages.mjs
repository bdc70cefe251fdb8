/** Runs all stages of CI, even after failures, and adds up their counts. */
import { clusterStage } from "./cluster-stage.mjs";
import { countingStage } from "./counting-stage.mjs";
import { finishedFile } from "./finished-file.mjs";
import { informingStage } from "./informing-stage.mjs";
import { useMemoryForTemporaryFiles } from "./memory-directory.mjs";
import { namedLines } from "./named-lines.mjs";
import { report } from "./report.mjs";
import { vitestStage } from "./vitest-stage.mjs";

const node = process.execPath;
/** Runs at low priority, because tests have deadlines. */
const inTheGaps = (/** @type {string[]} */ ...program) =>
  countingStage("nice", ["-n", "19", node, ...program]);

/** Installs and builds, which must not run concurrently. */
const before = [
  { name: "machine", run: countingStage(node, [".ci/check-machine.mjs"]) },
  { name: "npm test prepares", run: countingStage(node, [".ci/check-preparation.mjs"]) },
  { name: "pnpm check", run: countingStage("npm", ["run", "check"]) },
  { name: "npm run demo", run: countingStage(node, [".ci/check-demo.mjs"]) },
];
/**
 * The lanes run concurrently: tests on engines mostly wait, and running one file of them at a time is enough. More than
 * two at normal priority slow each other down until deadlines pass.
 */
const lanes = [
  [
    { name: "engines", run: vitestStage(["engines"]) },
    { name: "gvisor", run: clusterStage("gvisor") },
    { name: "stores", run: vitestStage(["stores"]) },
  ],
  [
    { name: "bare machine", run: countingStage(node, [".ci/check-bare.mjs"]) },
    { name: "code", run: vitestStage(["code", "shared"], finishedFile) },
    { name: "kubernetes", run: clusterStage("kubernetes") },
  ],
  // Building takes some 12 minutes of two cores the first time. It begins at once, at low priority, to be ready for the suites.
  [{ name: "cluster", run: countingStage(node, [".ci/check-cluster.mjs"]) }],
  [
    { name: "supervisor", run: inTheGaps(".ci/check-supervisor.mjs") },
    { name: "API reference", run: inTheGaps("scripts/api-reference.mjs") },
    { name: "API client", run: inTheGaps("scripts/api-client.mjs", "--check") },
    { name: "HTTP API", run: inTheGaps("scripts/api-fuzzing.mjs") },
    { name: "packed install", run: inTheGaps("test/release/packed-install.mjs") },
    { name: "AI SDK 6", run: inTheGaps("scripts/ai-sdk-6.mjs") },
    { name: "Bun and Next", run: inTheGaps("scripts/mounts.mjs") },
    { name: "release rehearsal", run: inTheGaps("test/release/release-rehearsal.mjs") },
    { name: "speed", run: informingStage("nice", ["-n", "19", node, "bench/quick.mjs"]) },
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
