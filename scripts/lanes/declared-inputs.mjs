import { relative } from "node:path";
import { root } from "../bootstrap/root.mjs";
import { lanes } from "./lanes.mjs";
import { dryRun, hasCommand } from "./planned-tasks.mjs";

/** @typedef {import("./lanes.mjs").Place & { id: string, inputs: ReadonlySet<string> }} Declared `inputs` are paths relative to the root. */

/**
 * Every task of every lane, with the input files of the task and of all tasks that it depends on.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Declared[]>}
 */
export async function declaredInputs(env) {
  const tasks = await dryRun(Object.keys(lanes), { env });
  const byId = new Map(tasks.map((task) => [task.taskId, task]));

  function collect(/** @type {string} */ id) {
    const needed = new Set([id]);
    const inputs = /** @type {Set<string>} */ (new Set());
    // The loop also visits what is added to the set meanwhile.
    for (const each of needed) {
      const { directory = "", inputs: own = {}, dependencies = [] } = byId.get(each) ?? {};
      for (const path of Object.keys(own)) inputs.add(relative(root, `${root}/${directory}/${path}`));
      for (const before of dependencies) needed.add(before);
    }
    return inputs;
  }

  return tasks
    .filter(hasCommand)
    .map(({ taskId: id, task, directory }) => ({ id, task, directory, inputs: collect(id) }));
}
