/** `node scripts/test-lanes.mjs LANE ... [--force]`: prepares the repository and runs lanes of its tests; scripts/lanes/lanes.mjs has their names. */
import "./modern-node.mjs";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { childEnvironment } = await import("./bootstrap/child-environment.mjs");
const { findPnpm } = await import("./bootstrap/find-pnpm.mjs");
const { root } = await import("./bootstrap/root.mjs");
const { lanes } = await import("./lanes/lanes.mjs");
const { runLanes } = await import("./lanes/run-lanes.mjs");

const given = process.argv.slice(2);
const names = given.filter((name) => name !== "--force");
const unknown = names.filter((name) => lanes[name] === undefined);
if (names.length === 0 || unknown.length > 0) {
  console.log(`There is no lane ${unknown.join(", ")}. The lanes are ${Object.keys(lanes).join(", ")}.`);
  process.exit(2);
}
await prepare();
process.chdir(root);
const env = childEnvironment(await findPnpm());
process.exitCode = await runLanes(names, { env, force: given.includes("--force") });
