/** `npm test [-- arguments of vitest]`: prepares the repository and runs every test. Child processes of tests run from dist. */
import "./node-version.mjs";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { runInherited } = await import("./bootstrap/run-inherited.mjs");
const { childEnvironment } = await import("./bootstrap/child-environment.mjs");
const { programArguments } = await import("./bootstrap/program-arguments.mjs");
const { root } = await import("./bootstrap/root.mjs");

await prepare();
process.chdir(root);
process.exitCode = await runInherited(
  process.execPath,
  [`${root}/node_modules/vitest/vitest.mjs`, "run", ...programArguments()],
  childEnvironment(),
);
