import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const started = new Set();

/**
 * Starts a host whose run sleeps so many seconds, and waits until its command runs.
 *
 * @param {string} seconds by which the run is found
 * @param {number} [leaseMs] given for a run with a key, which outlives its host so long
 */
export async function startHost(seconds, leaseMs) {
  const program = fileURLToPath(new URL("host.mjs", import.meta.url));
  const lease = leaseMs === undefined ? [] : [String(leaseMs)];
  const child = spawn(process.execPath, [program, seconds, ...lease], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  started.add(child);
  await once(child.stdout, "data");
  return child;
}

/** Kills the hosts that a failed check left, which this process would wait for. */
export function killHosts() {
  for (const child of started) child.kill("SIGKILL");
}
