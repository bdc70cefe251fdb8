/**
 * `npm test [-- arguments of vitest]`: prepares the repository and runs the tests, without those that need container engines
 * or an S3 server unless a file or a project is named. Child processes of tests run from dist. Temporary files are in
 * memory if nothing is named, there is room, and TMPDIR is not set.
 */
import "./modern-node.mjs";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { runInherited } = await import("./bootstrap/run-inherited.mjs");
const { childEnvironment } = await import("./bootstrap/child-environment.mjs");
const { memoryDirectory } = await import("./memory-directory.mjs");
const { programArguments } = await import("./bootstrap/program-arguments.mjs");
const { root } = await import("./bootstrap/root.mjs");

await prepare();
process.chdir(root);
const given = programArguments();
const isChosen = given.some((argument) => !argument.startsWith("-") || argument.startsWith("--project"));
// Container engines cannot mount directories below /dev, where the directory in memory is.
const temporary = isChosen ? undefined : memoryDirectory();
process.exitCode = await runInherited(
  process.execPath,
  [`${root}/node_modules/vitest/vitest.mjs`, "run", ...given],
  {
    ...childEnvironment(),
    ...(temporary ? { TMPDIR: temporary } : {}),
    ...(isChosen ? {} : { SKILLWRIGHT_WITHOUT_LANES: "1" }),
  },
);
