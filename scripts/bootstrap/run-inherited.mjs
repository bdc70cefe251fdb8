import { spawn } from "node:child_process";
import { constants } from "node:os";

/**
 * Runs a program on this process's terminal and resolves to the exit code to pass on (128 + number for a signal).
 * Signals are left to the program: the terminal sends Ctrl-C to both, and a `kill` of this process is forwarded.
 */
export function runInherited(command, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: "inherit" });
    process.on("SIGINT", () => {});
    process.on("SIGTERM", () => child.kill("SIGTERM"));
    process.on("SIGHUP", () => child.kill("SIGHUP"));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(signal ? 128 + constants.signals[signal] : code));
  });
}
