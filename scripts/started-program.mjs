import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Starts a server, waits until its standard output matches, and gives the match to `use`; then ends it. Throws with the
 * output where the program ends before.
 *
 * @param {readonly string[]} argv
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, ready: RegExp }} options
 * @param {(match: RegExpExecArray) => Promise<unknown>} use
 */
export async function startedProgram([command, ...args], { cwd, env, ready }, use) {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  let output = "";
  try {
    const match = await new Promise((resolve, reject) => {
      const look = (/** @type {Buffer} */ data) => {
        output += data;
        const found = ready.exec(output);
        if (found) resolve(found);
      };
      child.stdout.on("data", look);
      child.stderr.on("data", look);
      ended.then(() => reject(new Error(`${command} ended before it served`)), reject);
    });
    await use(match);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${output}`, { cause: error });
  } finally {
    child.kill();
    await ended;
  }
}
