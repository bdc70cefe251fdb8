import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { cacheDirectory, root } from "../bootstrap/root.mjs";
import { runInherited } from "../bootstrap/run-inherited.mjs";
import { laneOf, lanes, testFolders } from "./lanes.mjs";

/** @typedef {import("../../test/needs/results-reporter.js").RunResults} RunResults */

/**
 * Runs the tests of tasks in one run of Vitest. What `.ci/run` ran on a bare machine is not run again, and its results are added.
 *
 * @param {string[]} names of the lanes
 * @param {import("./lanes.mjs").Place[]} tasks
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ exitCode: number, results: RunResults }>}
 */
export async function runTests(names, tasks, env) {
  mkdirSync(cacheDirectory, { recursive: true });
  const file = `${cacheDirectory}/results-${randomUUID()}.json`;
  const projects = names.flatMap((name) => lanes[name]?.projects ?? []).map((name) => `--project=${name}`);
  const folders = tasks.flatMap(testFolders).map((folder) => `${root}/${folder}`);
  const exitCode = await runInherited(
    process.execPath,
    // All files of these tasks may have run on the bare machine.
    [`${root}/node_modules/vitest/vitest.mjs`, "run", "--passWithNoTests", ...projects, ...folders],
    { ...env, SKILLWRIGHT_RESULTS: file },
  );
  if (!existsSync(file))
    return { exitCode: exitCode || 1, results: { files: [], errors: ["Vitest ended without its results."] } };
  const { files, errors } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  const elsewhere = tasks.flatMap((task) => filesOf(task, onBareMachine(env)));
  return { exitCode, results: { files: [...files, ...elsewhere], errors } };
}

/** @returns {RunResults["files"]} */
function onBareMachine(/** @type {NodeJS.ProcessEnv} */ { SKILLWRIGHT_FINISHED: file }) {
  return file ? JSON.parse(readFileSync(file, "utf8")) : [];
}

/**
 * Those of some test files that belong to a task.
 *
 * @template {{ file: string, project: string }} File
 * @param {import("./lanes.mjs").Place} task
 * @param {readonly File[]} files
 */
export function filesOf(task, files) {
  const { projects = [] } = laneOf(task) ?? {};
  const folders = testFolders(task);
  return files.filter(
    ({ file, project }) => projects.includes(project) && folders.some((folder) => file.startsWith(folder)),
  );
}
