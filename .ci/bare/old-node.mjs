import { dirname, isAbsolute } from "node:path";
import { isOlder, neededNode } from "../../scripts/bootstrap/choose-node.mjs";
import { fetchNode } from "../../scripts/bootstrap/fetch-node.mjs";
import { root } from "../../scripts/bootstrap/root.mjs";
import { runCommand } from "../../scripts/run-command.mjs";

/**
 * The Node and npm of a machine that nobody prepared: the machine's own Node if it is older than the packages need,
 * otherwise a Node 20 from npm.
 *
 * @returns {Promise<{ version: string, directories: string[] }>} the directories that hold `node` and `npm`, for the PATH
 */
export async function oldNode() {
  const [own, npm] = await Promise.all(["node", "npm"].map(ownProgram));
  const { stdout } = await runCommand(own, ["--version"]);
  const version = stdout.trim().slice(1);
  if (isOlder(version, neededNode)) return { version, directories: [dirname(own), dirname(npm)] };
  return { version: "20.20.2", directories: [dirname(await fetchNode("20.20.2")), dirname(npm)] };
}

/** Returns the first program of that name on the PATH outside this checkout, in which CI puts a newer Node. */
async function ownProgram(name) {
  const { stdout } = await runCommand("sh", ["-c", 'which -a "$0"', name]);
  const own = stdout.split("\n").find((path) => isAbsolute(path) && !path.startsWith(`${root}/`));
  if (!own) throw new Error(`There is no ${name} on the PATH outside of ${root}`);
  return own;
}
