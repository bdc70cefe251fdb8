/**
 * `npm test [-- arguments of vitest]`: prepares the repository and runs the tests, without those that need container engines
 * or an S3 server unless a file or a project is named. Child processes of tests run from dist. Temporary files are in memory if
 * nothing is named, there is room, and TMPDIR is not set.
 *
 * Without arguments, tests that passed before with the same inputs are not run again; `npm test -- --force` runs them all.
 * `npm test -- --lane=NAME [--lane=NAME ...]` does the same with the lanes of scripts/lanes/lanes.mjs.
 */
import "./modern-node.mjs";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { runInherited } = await import("./bootstrap/run-inherited.mjs");
const { childEnvironment } = await import("./bootstrap/child-environment.mjs");
const { findPnpm } = await import("./bootstrap/find-pnpm.mjs");
const { memoryDirectory } = await import("./memory-directory.mjs");
const { programArguments } = await import("./bootstrap/program-arguments.mjs");
const { root } = await import("./bootstrap/root.mjs");
const { lanes } = await import("./lanes/lanes.mjs");
const { runLanes } = await import("./lanes/run-lanes.mjs");

const given = programArguments();
const isLane = (/** @type {string} */ argument) => argument.startsWith("--lane=");
const chosenLanes = given.filter(isLane).map((argument) => argument.slice("--lane=".length));
const unknown = chosenLanes.filter((name) => lanes[name] === undefined);
const force = given.includes("--force");
const settings = given.filter((argument) => argument !== "--force" && !isLane(argument));
if (chosenLanes.length > 0 && settings.length > 0) {
  console.log("A lane runs as a whole: leave out --lane, or the arguments of vitest.");
  process.exit(2);
}
if (unknown.length > 0) {
  console.log(`There is no lane ${unknown.join(", ")}. The lanes are ${Object.keys(lanes).join(", ")}.`);
  process.exit(2);
}

await prepare();
process.chdir(root);
const isChosen =
  chosenLanes.length > 0 ||
  settings.some((argument) => !argument.startsWith("-") || argument.startsWith("--project"));
// Container engines cannot mount directories below /dev, where the directory in memory is.
const temporary = isChosen ? undefined : memoryDirectory();
const env = {
  ...childEnvironment(await findPnpm()),
  ...(temporary ? { TMPDIR: temporary } : {}),
  ...(isChosen ? {} : { SKILLWRIGHT_WITHOUT_LANES: "1" }),
};
process.exitCode =
  settings.length === 0
    ? await runLanes(chosenLanes.length > 0 ? chosenLanes : ["test"], { env, force })
    : await runInherited(
        process.execPath,
        [`${root}/node_modules/vitest/vitest.mjs`, "run", ...settings],
        env,
      );
