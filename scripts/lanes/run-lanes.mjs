import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { cacheDirectory, root } from "../bootstrap/root.mjs";
import { runCommand } from "../run-command.mjs";
import { resultsFile } from "./lanes.mjs";
import { machineEnvironment } from "./machine-environment.mjs";
import { plannedTasks, taskNames, turbo } from "./planned-tasks.mjs";
import { filesOf, runTests } from "./run-tests.mjs";

/**
 * Runs the tests of lanes that did not pass before with the same inputs, all in one run of Vitest, and has turbo keep what passed.
 * Writes all results, the earlier ones too, to the file that SKILLWRIGHT_RESULTS names, or to
 * `.cache/test-results.json`. Resolves to the exit code.
 *
 * @param {string[]} names of lanes
 * @param {object} options
 * @param {NodeJS.ProcessEnv} options.env
 * @param {boolean} [options.force] runs all, whatever passed before
 */
export async function runLanes(names, { env, force = false }) {
  const ofMachine = { ...env, ...machineEnvironment(env) };
  const tasks = await plannedTasks(names, { env: ofMachine, force });
  const due = tasks.filter(({ isKept }) => !isKept);
  const { exitCode, results } = due.length > 0 ? await runTests(names, due, env) : nothing;
  await keep(names, { results, hashes: due.map(({ hash }) => hash) }, { env: ofMachine, force });
  const before = tasks.filter(({ isKept }) => isKept).flatMap(keptFiles);
  const untested = due
    .filter((task) => filesOf(task, results.files).length === 0)
    .map(({ id }) => `No test ran for ${id}.`);
  const all = { files: [...results.files, ...before], errors: [...results.errors, ...untested] };
  writeFileSync(env["SKILLWRIGHT_RESULTS"] ?? `${cacheDirectory}/test-results.json`, JSON.stringify(all));
  for (const problem of untested) console.log(problem);
  if (before.length > 0)
    console.log(
      `${passed(all.files)} tests passed, ${passed(before)} of them as before: their inputs have not changed.`,
    );
  return exitCode === 0 && untested.length > 0 ? 1 : exitCode;
}

/** @type {Awaited<ReturnType<typeof runTests>>} */
const nothing = { exitCode: 0, results: { files: [], errors: [] } };

/** Runs all tasks with turbo. A task that turbo has no results of takes them from this run, and fails if one of its tests did. */
async function keep(names, run, { env, force }) {
  const file = `${cacheDirectory}/lanes-run-${randomUUID()}.json`;
  writeFileSync(file, JSON.stringify(run));
  const settings = ["--continue", "--output-logs=none", "--ui=stream", ...(force ? ["--force"] : [])];
  await runCommand(turbo, ["run", ...taskNames(names), ...settings], {
    cwd: root,
    env: { ...env, SKILLWRIGHT_LANES_RUN: file },
  }).catch(() => undefined);
  rmSync(file);
}

function keptFiles(/** @type {import("./planned-tasks.mjs").Task} */ task) {
  const { files } = JSON.parse(readFileSync(resultsFile(task), "utf8"));
  return files.map((/** @type {object} */ file) => ({ ...file, isFromBefore: true }));
}

function passed(/** @type {readonly { passed: number }[]} */ files) {
  return files.reduce((total, { passed }) => total + passed, 0);
}
