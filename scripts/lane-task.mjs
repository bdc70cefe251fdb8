/**
 * The command of each task of tests. turbo runs it in the package's directory and keeps the file of results that it writes. If
 * `npm test` or `.ci/run` has just run the tests, the results are taken from there; otherwise this program runs the tests. It fails, so
 * that turbo keeps nothing, if a test failed, if a suite was left out for want of something outside of the machine, or if an input
 * changed during the run.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { root } from "./bootstrap/root.mjs";
import { laneOf, lanes, resultsFile } from "./lanes/lanes.mjs";
import { filesOf, runTests } from "./lanes/run-tests.mjs";

const { SKILLWRIGHT_LANES_RUN: runFile, TURBO_HASH: hash = "", npm_lifecycle_event: task = "" } = process.env;
const place = { directory: relative(root, process.cwd()), task };
/** @type {{ results: import("./lanes/run-tests.mjs").RunResults, hashes: string[] }} */
const { results, hashes } = runFile ? JSON.parse(readFileSync(runFile, "utf8")) : await ownRun();
const files = filesOf(place, results.files);
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
