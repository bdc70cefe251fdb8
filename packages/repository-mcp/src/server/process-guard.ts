import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";

export interface ProcessGuard {
  /** To be called when the guarded process has ended. */
  release(): void;
}

/** Its input ends with the process that holds the other end, however that ends. */
const KILL_AT_END = 'read -r _; kill -9 "-$1"';

/** Starts a shell that kills the child's process group when this process ends, even if this one is killed. */
export function processGuard({ pid }: ChildProcess): ProcessGuard {
  if (process.platform === "win32" || pid === undefined) return { release: () => undefined };
  const guard = spawn("/bin/sh", ["-c", KILL_AT_END, "sh", String(pid)], {
    cwd: "/",
    env: {},
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // Without a shell there is no guard; the server still sees the end of its input.
  guard.on("error", () => undefined);
  guard.stdin.on("error", () => undefined);
  guard.unref();
  (guard.stdin as unknown as Socket).unref();
  return {
    release() {
      guard.kill("SIGKILL");
      guard.stdin.destroy();
    },
  };
}
