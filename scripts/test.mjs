/**
 * `npm test [-- arguments of vitest]`: prepares the repository and runs the tests, without those that need container engines
 * or an S3 server unless a file or a project is named. Child processes of tests run from dist. Without arguments, what passed
 * before with the same inputs is not run again, but for `npm test -- --force`. Temporary files are in memory if nothing is
 * named, there is room, and TMPDIR is not set.
 */
import "./modern-node.mjs";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { runInherited } = await import("./bootstrap/run-inherited.mjs");
const { childEnvironment } = await import("./bootstrap/child-environment.mjs");
const { findPnpm } = await import("./bootstrap/find-pnpm.mjs");
const { memoryDirectory } = await import("./memory-directory.mjs");
const { programArguments } = await import("./bootstrap/program-arguments.mjs");
const { root } = await import("./bootstrap/root.mjs");
const { runLanes } = await import("./lanes/run-lanes.mjs");

await prepare();
process.chdir(root);
const given = programArguments();
const force = given.includes("--force");
const settings = given.filter((argument) => argument !== "--force");
const isChosen = settings.some((argument) => !argument.startsWith("-") || argument.startsWith("--project"));
// Container engines cannot mount directories below /dev, where the directory in memory is.
const temporary = isChosen ? undefined : memoryDirectory();
const env = {
  ...childEnvironment(await findPnpm()),
  ...(temporary ? { TMPDIR: temporary } : {}),
  ...(isChosen ? {} : { SKILLWRIGHT_WITHOUT_LANES: "1" }),
};
process.exitCode =
  settings.length === 0
    ? await runLanes(["test"], { env, force })
    : await runInherited(
        process.execPath,
        [`${root}/node_modules/vitest/vitest.mjs`, "run", ...settings],
        env,
      );
