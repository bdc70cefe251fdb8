/**
 * The command of each task of tests, which turbo runs in its package's directory. Leaves the results of the task where turbo keeps
 * them, taken from the run of its lane if that is what started turbo; otherwise it runs the tests. Fails, so that nothing is kept,
 * if a test failed or was left out for a reason that may pass, or if an input changed since the run began.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { root } from "./bootstrap/root.mjs";
import { laneOf, lanes, resultsFile } from "./lanes/lanes.mjs";
import { filesOf, runTests } from "./lanes/run-tests.mjs";

const { SKILLWRIGHT_LANES_RUN: runFile, TURBO_HASH: hash = "", npm_lifecycle_event: task = "" } = process.env;
const place = { directory: relative(root, process.cwd()), task };
const { results, hashes } = runFile ? JSON.parse(readFileSync(runFile, "utf8")) : await ownRun();
const files = filesOf(place, results);
const isGood =
  results.errors.length === 0 &&
  files.length > 0 &&
  files.every(({ failures, isRepeatable }) => failures.length === 0 && isRepeatable);
if (isGood && hashes.includes(hash)) {
  mkdirSync(dirname(resultsFile(place)), { recursive: true });
  writeFileSync(resultsFile(place), JSON.stringify({ files }));
} else process.exitCode = 1;

async function ownRun() {
  const names = Object.keys(lanes).filter((name) => lanes[name] === laneOf(place));
  const { results } = await runTests(names, [place], process.env);
  return { results, hashes: [hash] };
}
