import { root } from "../scripts/bootstrap/root.mjs";
import { runCommand } from "../scripts/run-command.mjs";

/**
 * A stage that is a program whose output is for the reader alone: it counts nothing, and a failure is a note.
 *
 * @param {string} command
 * @param {string[]} args
 * @returns {import("./gate.mjs").Stage["run"]}
 */
export function informingStage(command, args) {
  return async (show) => {
    const note = await runCommand(command, args, { cwd: root, show }).then(
      () => "information only",
      () => "information only; it failed",
    );
    return { passed: 0, failures: [], note };
  };
}
