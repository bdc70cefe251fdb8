import { root } from "../bootstrap/root.mjs";
import { runCommand } from "../run-command.mjs";
import { lanes } from "./lanes.mjs";

/** @typedef {import("./lanes.mjs").Place & { id: string, hash: string, isKept: boolean }} Task `isKept` means that its results are in turbo's cache. */

/**
 * The tasks of lanes, and which of them need not run.
 *
 * @param {string[]} names of lanes
 * @param {{ env: NodeJS.ProcessEnv, force?: boolean, checkout?: string }} options
 * @returns {Promise<Task[]>}
 */
export async function plannedTasks(names, { env, force = false, checkout = root }) {
  const { stdout } = await runCommand(turbo, ["run", ...taskNames(names), "--dry=json"], {
    cwd: checkout,
    env,
  });
  return JSON.parse(stdout)
    .tasks.filter(({ task, command }) => taskNames(names).includes(task) && command !== "<NONEXISTENT>")
    .map(({ taskId: id, task, directory, hash, cache }) => ({
      ...{ id, task, directory, hash },
      isKept: !force && cache.status === "HIT",
    }));
}

export const turbo = `${root}/node_modules/.bin/turbo`;

export function taskNames(/** @type {string[]} */ names) {
  return [...new Set(names.flatMap((name) => [name, ...(lanes[name]?.ofRoot ?? [])]))];
}
