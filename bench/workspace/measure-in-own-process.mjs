import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";
import { tell } from "../../scripts/bootstrap/step.mjs";

const program = fileURLToPath(new URL("in-own-process.mjs", import.meta.url));

/** Runs a measurement in a new process: `{ found }`, or `{ failure }` with the reason. */
export async function measureInOwnProcess(
  module,
  options = {},
  { node = process.execPath, flags = [] } = {},
) {
  tell(`  ${module.split("/").at(-1)} ${JSON.stringify(options)}`);
  const child = fork(program, [module, JSON.stringify(options)], {
    execPath: node,
    execArgv: ["--no-warnings", "--expose-gc", ...flags],
    env: { ...childEnvironment(), MASTRA_TELEMETRY_DISABLED: "1", NO_COLOR: "1" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const answer = await new Promise((resolve) => {
    child.once("message", resolve);
    child.once("exit", (code, signal) => resolve({ failure: `the process ended with ${signal ?? code}` }));
  });
  child.kill("SIGKILL");
  return answer;
}
