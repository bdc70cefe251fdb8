import { spawn } from "node:child_process";
import { finished } from "node:stream/promises";

/**
 * Starts what was recorded and does no more than anybody would: writes the options, reads all output, waits for the exit
 * code. The descriptors are Node's own pipes, as many as the recorded ones.
 */
export async function bareSpawn({ program, args, options, given }) {
  const { cwd, env, uid, gid, detached, stdio } = options;
  const child = spawn(program, args, {
    cwd,
    env,
    ...(uid === undefined ? {} : { uid, gid }),
    ...(detached ? { detached } : {}),
    // A number is a pipe that the runtime opened for output, or the null device in a place that must not be inherited.
    stdio: stdio.map((kind, index) => (typeof kind === "string" ? kind : index < 3 ? "pipe" : "ignore")),
  });
  for (const stream of child.stdio.slice(1)) stream?.resume?.();
  child.stdio[0]?.end();
  if (given !== undefined) child.stdio[3].end(given);
  const exited = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  const [code] = await Promise.all([exited, finished(child.stdout), finished(child.stderr)]);
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

/** Of a command without isolation: the shell and what it is given, without what the runtime puts before it. */
export function shellOf(recorded) {
  const argv = [recorded.program, ...recorded.args];
  const [program, ...args] = argv.slice(argv.findLastIndex((part) => /\/(ba|da)?sh$/.test(part)));
  return { ...recorded, program, args };
}
