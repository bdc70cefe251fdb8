/**
 * Imported for its effect, before anything that needs a modern Node: if this Node is older than `engines.node` of the
 * root manifest, fetches one from npm into `.cache/node` (once), runs the same program on it and ends this process with
 * its exit code. Runs on Node 18 and later.
 */
import { realpathSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { isOlder, modernNode, neededNode } from "./bootstrap/choose-node.mjs";
import { runInherited } from "./bootstrap/run-inherited.mjs";
import { tell } from "./bootstrap/step.mjs";

if (isOlder(process.versions.node, neededNode)) process.exit(await runAgain());

async function runAgain() {
  const program = await modernNode(neededNode, { tell }).catch((error) => tell(error.message));
  if (!program) return 1;
  // Otherwise this program would start itself forever.
  if (realpathSync(program) === realpathSync(process.execPath)) {
    tell(
      `${program} is this Node ${process.versions.node} again. What to do: remove .cache/node and run the command again.`,
    );
    return 1;
  }
  const path = [dirname(program), process.env.PATH].filter(Boolean).join(delimiter);
  const args = [...process.execArgv, ...process.argv.slice(1)];
  return await runInherited(program, args, { ...process.env, PATH: path });
}
