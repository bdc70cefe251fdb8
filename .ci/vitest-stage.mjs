import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { cacheDirectory, root } from "../scripts/bootstrap/root.mjs";
import { runCommand } from "../scripts/run-command.mjs";

/** @typedef {import("../test/needs/results-reporter.js").FileResult} FileResult */

/**
 * A stage that runs tests with Vitest, counted from what results-reporter.ts wrote. Each failed file can be run again by itself.
 *
 * @param {string[]} command runs the tests
 * @param {object} [options]
 * @param {(file: FileResult) => string[]} [options.again] the command that runs one file again, whatever was kept of it
 * @param {() => NodeJS.ProcessEnv} [options.env] added to the environment
 * @param {string} [options.directory] in which the commands run
 * @returns {import("./gate.mjs").Stage["run"]}
 */
export function vitestStage(command, { again = inRepository, env = () => ({}), directory = root } = {}) {
  const run = (/** @type {string[]} */ command, /** @type {(text: string) => void} */ show) =>
    runTests(command, { directory, env: env(), show });
  return async (show) => {
    const { results, problem } = await run(command, show);
    const failed = results.files.filter((file) => file.failures.length > 0);
    const passed = sum(results.files.filter((file) => !failed.includes(file)));
    const failures = failed.map((file) => ({
      name: file.file,
      passed: file.passed,
      failed: file.failures.length,
      texts: file.failures.map((text) => `${file.file} > ${text}`),
      again: async (/** @type {(text: string) => void} */ show) => {
        const { results, problem } = await run(again(file), show);
        const failed = results.files.reduce((total, { failures }) => total + failures.length, 0);
        return { passed: sum(results.files), failed: problem && failed === 0 ? 1 : failed };
      },
    }));
    const before = sum(results.files.filter(({ isFromBefore }) => isFromBefore));
    const outside = outsideOfFiles(results, problem, passed, failures.length);
    return {
      passed,
      failures: [...failures, ...outside],
      note: before > 0 ? `${before} as before` : undefined,
    };
  };
}

function inRepository(/** @type {FileResult} */ { project, file }) {
  return ["npm", "test", "--", `--project=${project}`, file];
}

/** What no file can be run again for. */
function outsideOfFiles(results, problem, passed, failedFiles) {
  const texts = results.errors.map((text) => `An error outside of any test: ${text}`);
  if (texts.length === 0 && failedFiles === 0 && problem !== undefined) texts.push(problem);
  if (texts.length === 0 && failedFiles === 0 && passed === 0) texts.push("No test ran.");
  return texts.map((text) => ({ name: "outside of the files", passed: 0, failed: 1, texts: [text] }));
}

/** @param {string[]} command */
async function runTests([program = "", ...args], { directory, env, show }) {
  const file = `${cacheDirectory}/results-${randomUUID()}.json`;
  const problem = await runCommand(program, args, {
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
