import { namedLines } from "./named-lines.mjs";
import { report } from "./report.mjs";

/**
 * @typedef {{ passed: number, failed: number }} Counts
 *
 * @typedef {object} Failure A test file, or another part of a stage, that failed.
 * @property {string} name
 * @property {number} passed So many of its tests passed nevertheless.
 * @property {number} failed
 * @property {string[]} texts
 * @property {(show: (text: string) => void) => Promise<Counts>} [again] Runs it again by itself. Missing where nothing can be run again.
 *
 * @typedef {{ passed: number, failures: Failure[], note?: string }} Result `passed` does not count what `failures` do.
 * @typedef {object} Stage
 * @property {string} name
 * @property {(show: (text: string) => void) => Promise<Result>} run
 * @property {boolean} [inBackground] True for a stage that takes one core and measures no time: the stages after it run beside it.
 * @property {boolean} [alone] True for a stage that waits for those in the background.
 * @property {boolean} [alwaysRuns] True for a stage that prepares the machine, and for one whose own program leaves out what passed before.
 *
 * @typedef {{ name: string, seconds: number, passed: number, failed: Failure[], unsteady: Failure[], note?: string }} Verdict of a stage
 */

/** How often a failed file must pass by itself, so that its failure does not count. */
const CONFIRMATIONS = 3;
/** More files than this that fail only at times are a failure. */
const UNSTEADY_FILES = 3;

/**
 * @typedef {object} Memory of the stages that passed before with the same inputs
 * @property {(stage: string) => number | undefined} before How many checks of the stage passed then.
 * @property {(stage: string, passed: number) => void} noteStage
 */

/**
 * Runs the stages one after another, also after failures; a stage in the background runs beside the following ones. A stage that passed before, as `memory` says, is not run. Whatever failed
 * is run again, up to three times, when all stages have ended: what fails once more has failed, what passes three times is unsteady. Prints a table, the failures, and as the last line
 * the counts. Resolves to true if something passed, nothing failed and at most three files are unsteady.
 *
 * @param {Stage[]} stages
 * @param {Memory} [memory]
 * @returns {Promise<boolean>}
 */
export async function gate(stages, memory = nothing) {
  const started = performance.now();
  const ended = await runAll(stages, memory);
  const verdicts = [];
  for (const stage of ended) verdicts.push(await confirmed(stage));
  return report(verdicts, secondsSince(started), UNSTEADY_FILES);
}

/** @type {Memory} */
const nothing = { before: () => undefined, noteStage: () => undefined };

/** @param {Stage[]} stages @param {Memory} memory */
async function runAll(stages, memory) {
  const runs = [];
  for (const stage of stages) {
    if (stage.alone) await Promise.all(runs);
    const run = runOnce(stage, memory);
    runs.push(run);
    if (!stage.inBackground) await run;
  }
  return await Promise.all(runs);
}

/** @param {Stage} stage @param {Memory} memory */
async function runOnce({ name, run, alwaysRuns = false }, memory) {
  const before = alwaysRuns ? undefined : memory.before(name);
  if (before !== undefined)
    return { name, seconds: 0, result: { passed: before, failures: [], note: `${before} as before` } };
  console.log(`\n=== ${name}`);
  const started = performance.now();
  const result = await run(namedLines(name));
  if (result.failures.length === 0 && result.passed > 0) memory.noteStage(name, result.passed);
  return { name, seconds: secondsSince(started), result };
}

/** @returns {Promise<Verdict>} */
async function confirmed(/** @type {{ name: string, seconds: number, result: Result }} */ stage) {
  const { name, seconds, result } = stage;
  /** @type {Verdict} */
  const verdict = { name, seconds, passed: result.passed, failed: [], unsteady: [], note: result.note };
  for (const failure of result.failures) {
    const passed = await passedAgain(name, failure);
    if (passed === undefined) {
      verdict.failed.push(failure);
      verdict.passed += failure.passed;
    } else {
      verdict.unsteady.push(failure);
      verdict.passed += passed;
    }
  }
  return verdict;
}

/** The number of its tests, or nothing where it failed once more. */
async function passedAgain(/** @type {string} */ stage, /** @type {Failure} */ { name, again }) {
  if (!again) return undefined;
  let passed = 0;
  for (let round = 1; round <= CONFIRMATIONS; round++) {
    console.log(`\n=== ${stage}: ${name}, again by itself (${round} of ${CONFIRMATIONS})`);
    const counts = await again(namedLines(stage));
    if (counts.failed > 0 || counts.passed === 0) return undefined;
    passed = counts.passed;
  }
  return passed;
}

function secondsSince(/** @type {number} */ started) {
  return (performance.now() - started) / 1000;
}
