import { spawn } from "node:child_process";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../../scripts/bootstrap/child-environment.mjs";
import { answerOf } from "../answer-of.mjs";

const program = fileURLToPath(new URL("discover.mjs", import.meta.url));
const MOST_MS = 120_000;

/**
 * Starts a loader in its own process, with a limit of file handles if `handles` is given. `facts` is what it reports about
 * itself, with `error` if its package could not be imported; `ask` sends one question at a time, with a timeout of two minutes.
 *
 * @param {{ module: string, directory: string, node: string, handles?: number }} options
 */
export async function startLoader({ module, directory, node, handles }) {
  const limit = handles ? `ulimit -n ${handles} && ` : "";
  const child = spawn(
    "/bin/sh",
    ["-c", `${limit}exec "$0" "$@"`, node, "--no-warnings", program, module, directory],
    {
      env: { ...childEnvironment(), MASTRA_TELEMETRY_DISABLED: "1", NO_COLOR: "1" },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    },
  );
  const close = () => child.kill("SIGKILL");
  const name = basename(module, ".mjs");
  try {
    return { name, facts: await inTime(answerOf(child)), ask, close };
  } catch (/** @type {any} */ error) {
    close();
    return { name, facts: { error: error.message }, ask, close };
  }

  async function ask(question) {
    const answer = inTime(answerOf(child));
    child.send(question, () => undefined);
    return await answer;
  }

  async function inTime(answer) {
    const timer = setTimeout(close, MOST_MS);
    return await answer.finally(() => clearTimeout(timer));
  }
}
