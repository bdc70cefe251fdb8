import { relative } from "node:path";
import { root } from "../bootstrap/root.mjs";
import { runCommand } from "../run-command.mjs";
import { lanes } from "./lanes.mjs";
import { taskNames, turbo } from "./planned-tasks.mjs";

/** @typedef {import("./lanes.mjs").Place & { id: string, inputs: ReadonlySet<string> }} Declared `inputs` are paths relative to the root. */

/**
 * Every task of every lane, with the files that it and the tasks before it depend on.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Declared[]>}
 */
export async function declaredInputs(env) {
  const args = ["run", ...taskNames(Object.keys(lanes)), "--dry=json"];
  const { stdout } = await runCommand(turbo, args, { cwd: root, env });
  /** @type {{ taskId: string, task: string, directory: string, command: string, inputs: object, dependencies: string[] }[]} */
  const tasks = JSON.parse(stdout).tasks;
  const byId = new Map(tasks.map((task) => [task.taskId, task]));

  function collect(/** @type {string} */ id, inputs = new Set()) {
    const { directory = "", inputs: own = {}, dependencies = [] } = byId.get(id) ?? {};
    for (const path of Object.keys(own)) inputs.add(relative(root, `${root}/${directory}/${path}`));
    for (const before of dependencies) collect(before, inputs);
    return inputs;
  }

  return tasks
    .filter(({ command }) => command !== "<NONEXISTENT>")
    .map(({ taskId: id, task, directory }) => ({ id, task, directory, inputs: collect(id) }));
}
