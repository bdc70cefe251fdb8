import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";

/**
 * Runs a program of this directory with a limit of file handles; its result is written to the file that is its first argument.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ node: string, handles?: number }} options
 */
export async function inOwnProcess(program, args, { node, handles }) {
  const directory = mkdtempSync(`${tmpdir()}/skillwright-measure-`);
  const answer = `${directory}/answer.json`;
  try {
    const limit = handles ? `ulimit -n ${handles} && ` : "";
    const path = fileURLToPath(new URL(program, import.meta.url));
    const child = spawn(
      "/bin/sh",
      ["-c", `${limit}exec "$0" "$@"`, node, "--no-warnings", path, answer, ...args],
      {
        stdio: "ignore",
        env: { ...childEnvironment(), MASTRA_TELEMETRY_DISABLED: "1", NO_COLOR: "1" },
      },
    );
    const timer = setTimeout(() => child.kill("SIGKILL"), 180_000);
    const code = await new Promise((resolve) =>
      child.on("exit", (status, signal) => resolve(signal ?? status)),
    );
    clearTimeout(timer);
    try {
      return JSON.parse(readFileSync(answer, "utf8"));
    } catch {
      return { error: `the process ended with ${code}` };
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
