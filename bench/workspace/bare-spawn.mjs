import { spawn } from "node:child_process";
import { finished } from "node:stream/promises";

/**
 * Repeats a recorded start and only writes the options, reads all output and waits for the exit
 * code. The descriptors are Node's own pipes, as many as were recorded.
 */
export async function bareSpawn({ program, args, options, given }) {
  const { cwd, env, uid, gid, detached, stdio } = options;
  /** @type {any} */
  const child = spawn(program, args, {
    cwd,
    env,
    ...(uid === undefined ? {} : { uid, gid }),
    ...(detached ? { detached } : {}),
    // A number is a pipe that the runtime opened for output.
    stdio: stdio.map((kind) => (typeof kind === "string" ? kind : "pipe")),
  });
  for (const stream of child.stdio.slice(1)) stream?.resume?.();
  child.stdio[0]?.end();
  if (given !== undefined) child.stdio.at(-1).end(given);
  const exited = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  const [code] = await Promise.all([exited, finished(child.stdout), finished(child.stderr)]);
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

const LENGTH_BYTES = 8;

/** The start of a sandboxed command: bubblewrap and the shell, as the same user, without the supervisors around them. */
export function bubblewrapOf({ args, options, given }) {
  const [program, ...inside] = args.slice(args.indexOf("--") + 1);
  const number = (name) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : undefined);
  return {
    program,
    args: ["--args", "3", "--", ...inside.slice(inside.lastIndexOf("--") + 1)],
    options: {
      ...options,
      uid: number("--user"),
      gid: number("--group"),
      stdio: [...options.stdio.slice(0, 3), "pipe"],
    },
    // Without the length that the supervisor reads before them.
    given: Buffer.from(
      Buffer.from(given).subarray(LENGTH_BYTES).toString().replace("--as-pid-1\0", "--new-session\0"),
    ),
  };
}

/** The start of a command without isolation: the shell and its arguments, without the programs before it. */
export function shellOf(recorded) {
  const argv = [recorded.program, ...recorded.args];
  const [program, ...args] = argv.slice(argv.findLastIndex((part) => /\/(ba|da)?sh$/.test(part)));
  return { ...recorded, program, args };
}
