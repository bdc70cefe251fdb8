import { spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { until } from "./until.mjs";

/** Only a program that hangs takes all of it. */
const PATIENCE_SECONDS = 180;

/**
 * Starts a program that ends with the keeper, even if the keeper is killed. Its output goes to `log`.
 *
 * @param {string[]} command program and arguments
 * @param {{ log: string, env?: NodeJS.ProcessEnv }} options
 */
export function keptProgram(command, { log, env = process.env }) {
  const out = openSync(log, "a");
  // Without it an engine would survive a killed keeper.
  // In its own directory, because Podman's monitor writes a file `oom` to the service's working directory.
  const options = { stdio: ["ignore", out, out], env, cwd: dirname(log) };
  const child = spawn(
    "setpriv",
    ["--pdeathsig", "TERM", ...command],
    /** @type {import("node:child_process").SpawnOptions} */ (options),
  );
  let ended = /** @type {string | undefined} */ (undefined);
  const gone = new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  }).then((how) => {
    ended = how;
  });

  /** Waits until it serves. @throws Error with the end of its log, if it ended or timed out. */
  async function ready(condition) {
    const serves = await until(
      PATIENCE_SECONDS * 1000,
      async () => ended !== undefined || (await condition()),
    );
    if (serves && ended === undefined) return;
    const tail = readFileSync(log, "utf8").trimEnd().split("\n").slice(-15).join("\n");
    throw new Error(
      `${command.join(" ")}\n${ended ? `ended with ${ended}` : `did not serve within ${PATIENCE_SECONDS} s`}\n${tail}`,
    );
  }

  /** @param {NodeJS.Signals} signal @param {number} patience milliseconds until it is killed */
  async function end(signal, patience) {
    child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    await gone;
    clearTimeout(timer);
  }

  return { pid: () => child.pid, ready, end, hasEnded: () => ended !== undefined };
}
