import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { cacheDirectory, root } from "../scripts/bootstrap/root.mjs";
import { runCommand } from "../scripts/run-command.mjs";

/**
 * @typedef {object} Place Where the tests are, and the command that runs them.
 * @property {string} directory
 * @property {string[]} command
 */

/** @type {Place} */
const here = { directory: root, command: ["npm", "test", "--"] };

/**
 * A stage that runs the tests of some projects of Vitest, counted from what results-reporter.ts wrote. Each failed file can be
 * run again by itself.
 *
 * @param {string[]} projects
 * @param {{ env?: () => NodeJS.ProcessEnv, place?: Place }} [options] `env` is added to the environment.
 * @returns {import("./gate.mjs").Stage["run"]}
 */
export function vitestStage(projects, { env = () => ({}), place = here } = {}) {
  return async (show) => {
    const { results, problem } = await runTests(
      projects.map((project) => `--project=${project}`),
      { env: env(), place, show },
    );
    const failed = results.files.filter((file) => file.failures.length > 0);
    const passed = sum(results.files.filter((file) => !failed.includes(file)));
    const failures = failed.map((file) => ({
      name: file.file,
      passed: file.passed,
      failed: file.failures.length,
      texts: file.failures.map((text) => `${file.file} > ${text}`),
      again: async (/** @type {(text: string) => void} */ show) => {
        const args = [`--project=${file.project}`, file.file];
        const { results, problem } = await runTests(args, { env: env(), place, show });
        const failed = results.files.reduce((total, { failures }) => total + failures.length, 0);
        return { passed: sum(results.files), failed: problem && failed === 0 ? 1 : failed };
      },
    }));
    const outside = outsideOfFiles(results, problem, passed, failures.length);
    return { passed, failures: [...failures, ...outside] };
  };
}

/** What no file can be run again for. */
function outsideOfFiles(results, problem, passed, failedFiles) {
  const texts = results.errors.map((text) => `An error outside of any test: ${text}`);
  if (texts.length === 0 && failedFiles === 0 && problem !== undefined) texts.push(problem);
  if (texts.length === 0 && failedFiles === 0 && passed === 0) texts.push("No test ran.");
  return texts.map((text) => ({ name: "outside of the files", passed: 0, failed: 1, texts: [text] }));
}

/** @param {string[]} args */
async function runTests(args, { env, place: { directory, command }, show }) {
  const file = `${cacheDirectory}/results-${randomUUID()}.json`;
  const [program = "", ...before] = command;
  const problem = await runCommand(program, [...before, ...args], {
    cwd: directory,
    show,
    env: { ...process.env, ...env, SKILLWRIGHT_RESULTS: file },
  }).then(
    () => undefined,
    (/** @type {Error} */ error) => error.message,
  );
  if (!existsSync(file)) return { results: { files: [], errors: [] }, problem: problem ?? "No test ran." };
  /** @type {import("../test/needs/results-reporter.js").RunResults} */
  const results = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  return { results, problem };
}

/** @param {readonly { passed: number }[]} files */
function sum(files) {
  return files.reduce((total, { passed }) => total + passed, 0);
}
