import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { root } from "../scripts/bootstrap/root.mjs";
import { runCommand } from "../scripts/run-command.mjs";

/**
 * Notes that this tree has passed: a file named by the tree's hash in `${XDG_CACHE_HOME:-~/.cache}/skillwright/gate` holds a line with the time
 * and the form. A tree with uncommitted changes is not noted.
 *
 * @param {string} form
 */
export async function notePassedTree(form) {
  const git = async (/** @type {string[]} */ ...args) =>
    (await runCommand("git", args, { cwd: root })).stdout.trim();
  if ((await git("status", "--porcelain")) !== "") return;
  const directory = `${process.env.XDG_CACHE_HOME || `${homedir()}/.cache`}/skillwright/gate`;
  mkdirSync(directory, { recursive: true });
  const tree = await git("rev-parse", "HEAD^{tree}");
  writeFileSync(`${directory}/${tree}`, `${new Date().toISOString()} ${form}\n`, { flag: "a" });
}
