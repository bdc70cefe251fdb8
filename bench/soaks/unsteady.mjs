import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { cacheDirectory, root } from "../../scripts/bootstrap/root.mjs";
import { runCommand } from "../../scripts/run-command.mjs";

/** This soak repeats the tests that `npm test` and `.ci/run` run once, so it has no short form. */
export const isTested = true;

const BUSY_LOOPS = 4;
/** A program that keeps a core busy until its parent, the soak, has ended or was killed. */
const BUSY = "const parent = process.ppid; while (process.ppid === parent);";
const usual = { projects: ["code", "shared", "large"], rounds: 20 };
const others = ["gate", "browser", "stores", "engines", "emulated", "soaks"].map((name) => ({
  projects: [name],
  rounds: 5,
}));

/**
 * Runs all tests in random order, 20 rounds of those that need no server and 5 of each other lane, in turns alone and with four busy
 * loops beside, and names each test that failed at least once. Each round is noted in `.cache/unsteady-TREE.jsonl`. The next start for
 * the same tree runs the rounds that are missing there.
 */
export async function soak({ seed, share, tell }) {
  const { stdout } = await runCommand("git", ["rev-parse", "HEAD^{tree}"], { cwd: root });
  const journal = `${cacheDirectory}/unsteady-${stdout.trim()}.jsonl`;
  mkdirSync(cacheDirectory, { recursive: true });
  for (const { projects, rounds } of [usual, ...others]) {
    for (let round = before(journal, projects) + 1; round <= Math.ceil(rounds * share); round++) {
      const { name, ...result } = await oneRound({ projects, seed: seed + round, isBusy: round % 2 === 0 });
      appendFileSync(journal, `${JSON.stringify({ projects, round, ...result })}\n`);
      const failed = result.failures.length;
      tell(`${name}, round ${round}: ${result.passed} passed, ${failed} failed, ${result.seconds} s`);
    }
  }
  const all = roundsIn(journal);
  const texts = all.flatMap(({ failures }) => failures);
  const tests = [...new Set(texts.map(firstLine))];
  const found = tests.map((test) => {
    const ofTest = texts.filter((text) => firstLine(text) === test);
    return `${ofTest.length} times: ${ofTest[0]}`;
  });
  if (found.length > 0) throw new Error(`${found.length} tests failed at least once:\n${found.join("\n\n")}`);
  return `${all.length} rounds, ${all.reduce((sum, { passed }) => sum + passed, 0)} tests passed, none failed`;
}

function firstLine(/** @type {string} */ text) {
  return text.split("\n")[0];
}

/** How many rounds of these projects are noted. */
function before(journal, projects) {
  return roundsIn(journal).filter((round) => String(round.projects) === String(projects)).length;
}

/** @returns {{ projects: string[], passed: number, failures: string[] }[]} */
function roundsIn(/** @type {string} */ journal) {
  if (!existsSync(journal)) return [];
  return readFileSync(journal, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function oneRound({ projects, seed, isBusy }) {
  const results = `${cacheDirectory}/unsteady-results.json`;
  rmSync(results, { force: true });
  const order = ["--sequence.shuffle.files", `--sequence.seed=${seed}`];
  const args = [...projects.map((/** @type {string} */ name) => `--project=${name}`), ...order];
  const loops = Array.from({ length: isBusy ? BUSY_LOOPS : 0 }, () => spawn(process.execPath, ["-e", BUSY]));
  const started = performance.now();
  const problem = await runCommand("npm", ["test", "--", ...args], {
    cwd: root,
    env: { ...process.env, SKILLWRIGHT_RESULTS: results },
  }).then(
    () => undefined,
    (/** @type {Error} */ error) => error.message,
  );
  for (const loop of loops) loop.kill("SIGKILL");
  /** @type {import("../../test/needs/results-reporter.js").RunResults} */
  const { files, errors } = existsSync(results)
    ? JSON.parse(readFileSync(results, "utf8"))
    : { files: [], errors: [problem] };
  return {
    name: `${projects.join(" and ")}${isBusy ? " beside busy loops" : ""}`,
    seconds: Math.round((performance.now() - started) / 1000),
    passed: files.reduce((sum, { passed }) => sum + passed, 0),
    failures: [
      ...files.flatMap(({ file, failures }) => failures.map((text) => `${file} > ${text}`)),
      ...errors,
    ],
  };
}
