import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface RedisProcess {
  /** @throws Error with the program's output where it ends instead of serving. */
  start(): Promise<void>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
}

/** Debian's `redis-server` with these arguments, which ends with this process. */
export function redisProcess(argv: readonly string[]): RedisProcess {
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn("redis-server", argv, { stdio: ["ignore", "pipe", "pipe"] });
    child = started;
    process.once("exit", killNow);
    await ready(started);
  }

  async function kill(): Promise<void> {
    const running = child;
    child = undefined;
    process.off("exit", killNow);
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGKILL");
    await ended;
  }

  function killNow(): void {
    child?.kill("SIGKILL");
  }

  return { start, kill };
}

async function ready(child: ChildProcess): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      output += chunk.toString();
      if (/ready to accept connections/i.test(output)) resolve();
    };
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    child.once("error", reject);
    child.once("close", () => reject(new Error(`redis-server ended at its start:\n${output.slice(-2000)}`)));
  });
}
