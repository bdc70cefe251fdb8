import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { cacheDirectory, root } from "../bootstrap/root.mjs";
import { runInherited } from "../bootstrap/run-inherited.mjs";
import { laneOf, lanes, testFolders } from "./lanes.mjs";

/** @typedef {import("../../test/needs/results-reporter.js").RunResults} RunResults */

/**
 * Runs the tests of tasks in one run of Vitest. What `.ci/run` had run on a bare machine counts as run.
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
    // A task whose tests all ran elsewhere has no file.
    [`${root}/node_modules/vitest/vitest.mjs`, "run", "--passWithNoTests", ...projects, ...folders],
    { ...env, SKILLWRIGHT_RESULTS: file },
  );
  if (!existsSync(file))
    return { exitCode: exitCode || 1, results: { files: [], errors: ["Vitest ended without its results."] } };
  const { files, errors } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(file);
  const elsewhere = { files: ranElsewhere(env), errors: [] };
  return {
    exitCode,
    results: { files: [...files, ...tasks.flatMap((task) => filesOf(task, elsewhere))], errors },
  };
}

/** @returns {RunResults["files"]} */
function ranElsewhere(/** @type {NodeJS.ProcessEnv} */ { SKILLWRIGHT_FINISHED: file }) {
  return file ? JSON.parse(readFileSync(file, "utf8")) : [];
}

/** The results of the files of a task. @param {import("./lanes.mjs").Place} task @param {RunResults} results */
export function filesOf(task, { files }) {
  const { projects = [] } = laneOf(task) ?? {};
  const folders = testFolders(task);
  return files.filter(
    ({ file, project }) => projects.includes(project) && folders.some((folder) => file.startsWith(folder)),
  );
}
