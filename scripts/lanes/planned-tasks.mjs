import { root } from "../bootstrap/root.mjs";
import { runCommand } from "../run-command.mjs";
import { lanes } from "./lanes.mjs";

/** @typedef {import("./lanes.mjs").Place & { id: string, hash: string, isKept: boolean }} Task `isKept` means that turbo has its results from before. */

/**
 * The tasks of lanes, each with whether it need not run.
 *
 * @param {string[]} names of lanes
 * @param {{ env: NodeJS.ProcessEnv, force?: boolean, checkout?: string }} options
 * @returns {Promise<Task[]>}
 */
export async function plannedTasks(names, { env, force = false, checkout = root }) {
  const tasks = await dryRun(names, { env, checkout });
  return tasks
    .filter((task) => taskNames(names).includes(task.task) && hasCommand(task))
    .map(({ taskId: id, task, directory, hash, cache }) => ({
      ...{ id, task, directory, hash },
      isKept: !force && cache.status === "HIT",
    }));
}

/**
 * @typedef {object} DryTask as turbo describes it
 * @property {string} taskId
 * @property {string} task
 * @property {string} directory
 * @property {string} command
 * @property {string} hash
 * @property {{ status: string }} cache
 * @property {Record<string, string>} inputs The hash of each file, by its path relative to the directory.
 * @property {string[]} dependencies
 */

/**
 * What turbo would run for lanes: the tasks of their tests, and those that they depend on.
 *
 * @param {string[]} names of lanes
 * @param {{ env: NodeJS.ProcessEnv, checkout?: string }} options
 * @returns {Promise<DryTask[]>}
 */
export async function dryRun(names, { env, checkout = root }) {
  const args = ["run", ...taskNames(names), "--dry=json"];
  const { stdout } = await runCommand(turbo, args, { cwd: checkout, env });
  return JSON.parse(stdout).tasks;
}

/** False for a task in a package that has no script for it. */
export function hasCommand(/** @type {DryTask} */ { command }) {
  return command !== "<NONEXISTENT>";
}

export const turbo = `${root}/node_modules/.bin/turbo`;

export function taskNames(/** @type {string[]} */ names) {
  return [...new Set(names.flatMap((name) => [name, ...(lanes[name]?.ofRoot ?? [])]))];
}
