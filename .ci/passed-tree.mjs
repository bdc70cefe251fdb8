import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { contentFingerprint } from "../scripts/bootstrap/fingerprint.mjs";
import { cacheHome, root } from "../scripts/bootstrap/root.mjs";
import { machineEnvironment } from "../scripts/lanes/machine-environment.mjs";
import { runCommand } from "../scripts/run-command.mjs";

const directory = `${cacheHome()}/skillwright/gate`;

/**
 * The stages of the gate that this tree passed on this machine. They are noted in `${XDG_CACHE_HOME:-~/.cache}/skillwright/gate`: each stage in a
 * file that holds how many checks passed, and each green run as a line with its time and form in the file that is named by the
 * tree's hash. Nothing is noted of a tree with uncommitted changes.
 *
 * @param {string} form
 */
export async function passedTree(form) {
  const tree = await cleanTree();
  const machine = contentFingerprint([], machineEnvironment(process.env), form);
  const fileOf = (/** @type {string} */ stage) =>
    `${directory}/${tree}-${contentFingerprint([], machine, stage).slice(0, 16)}`;
  return {
    /** How many checks of a stage passed, or `undefined` if it has not passed without a failure. */
    before(/** @type {string} */ stage) {
      if (tree === undefined || !existsSync(fileOf(stage))) return undefined;
      return Number(readFileSync(fileOf(stage), "utf8"));
    },
    noteStage(/** @type {string} */ stage, /** @type {number} */ passed) {
      if (tree === undefined) return;
      mkdirSync(directory, { recursive: true });
      writeFileSync(fileOf(stage), `${passed}\n`);
    },
    noteGreen() {
      if (tree === undefined) return;
      mkdirSync(directory, { recursive: true });
      writeFileSync(`${directory}/${tree}`, `${new Date().toISOString()} ${form}\n`, { flag: "a" });
    },
  };
}

async function cleanTree() {
  const git = async (/** @type {string[]} */ ...args) =>
    (await runCommand("git", args, { cwd: root })).stdout.trim();
  return (await git("status", "--porcelain")) === "" ? await git("rev-parse", "HEAD^{tree}") : undefined;
}
