/**
 * Imported for its effect, before anything that needs a modern Node: ends the process with a plain message if
 * this Node is older than `engines.node` of the root manifest. Written in syntax that old versions can parse.
 */
import { readFileSync } from "node:fs";

/** The problem with a Node of this version, or undefined. `range` has the form `>=20.19`. */
export function nodeVersionProblem(version, range) {
  const required = range.replace(/^>=\s*/, "");
  if (compare(version, required) >= 0) return undefined;
  return (
    `Skillwright needs Node ${required} or later; this is Node ${version}.\n` +
    "Install a current Node (for example with your system's package manager or a version manager) and run the command again."
  );
}

function compare(left, right) {
  const a = left.split(".").map(Number);
  const b = right.split(".").map(Number);
  for (let index = 0; index < 3; index++) {
    const difference = (a[index] || 0) - (b[index] || 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const problem = nodeVersionProblem(process.versions.node, manifest.engines.node);
if (problem) {
  console.error(problem);
  process.exit(1);
}
