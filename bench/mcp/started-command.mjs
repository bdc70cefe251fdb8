import { spawn } from "node:child_process";
import { once } from "node:events";
import { root } from "../../scripts/bootstrap/root.mjs";
import { rawClient } from "./raw-client.mjs";

/**
 * Starts `skillwright mcp`, or another server on standard streams, with a home of its own.
 *
 * @param {string} home
 * @param {readonly string[]} [argv] arguments of Node
 */
export function startedCommand(home, argv = [`${root}/packages/cli/dist/main.js`, "mcp"]) {
  const child = spawn(process.execPath, [...argv], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: process.env.TMPDIR },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  return {
    client: rawClient({ input: child.stdout, output: child.stdin }),
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
