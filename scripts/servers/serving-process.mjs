import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Starts a Node program that serves, and prints an address and a token. It is killed at the latest with this process.
 *
 * @param {readonly string[]} argv
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options `env` is added to PATH and NO_COLOR.
 */
export function servingProcess(argv, { cwd, env }) {
  const { PATH } = process.env;
  const child = spawn(process.execPath, argv, { cwd, env: { PATH, NO_COLOR: "1", ...env } });
  const killNow = () => void child.kill("SIGKILL");
  process.once("exit", killNow);
  const ended = once(child, "close").then(([code, signal]) => {
    process.off("exit", killNow);
    return /** @type {number | NodeJS.Signals} */ (code ?? signal);
  });
  let shown = "";
  child.stderr.on("data", (piece) => {
    shown += piece;
  });
  /** @type {Promise<{ address: string, token: string }>} */
  const serving = new Promise((resolve, reject) => {
    child.stdout.on("data", (piece) => {
      shown += piece;
      const [, address, token] = /^ *address +(\S+)$[\s\S]*^ *token +(\S+)$/m.exec(shown) ?? [];
      if (address && token) resolve({ address, token });
    });
    void ended.then(() => reject(new Error(`The server ended: ${shown}`)));
  });
  return {
    pid: child.pid ?? 0,
    /** Resolves when the program has printed its address and token. */
    serving,
    /** Resolves with its exit code, or the signal that ended it. */
    ended,
    /** What it wrote to both outputs so far. */
    shown: () => shown,
    kill: (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal),
  };
}
