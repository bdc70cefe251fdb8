/** `npm run demo [-- arguments]`: prepares what the reference agent needs, then starts it on this terminal. */
import "./modern-node.mjs";

const { prepare } = await import("./bootstrap/prepare.mjs");
const { runInherited } = await import("./bootstrap/run-inherited.mjs");
const { programArguments } = await import("./bootstrap/program-arguments.mjs");
const { root } = await import("./bootstrap/root.mjs");

await prepare({ build: ["apps/agent"] });
process.exitCode = await runInherited(
  process.execPath,
  [`${root}/apps/agent/dist/main.js`, ...programArguments()],
  process.env,
);
