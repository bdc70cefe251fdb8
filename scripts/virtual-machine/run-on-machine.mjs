import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { machineProgram } from "./virtual-machine.mjs";

/**
 * Boots the machine, runs the command there as root and shows its output line by line. Returns the exit code, which is not 0 where the time
 * was over. Nothing of the machine is left, also not after the signal.
 *
 * @param {readonly string[]} folders mounted below /given
 * @param {string} command
 * @param {{ temporary: string, mostSeconds: number, memoryMebibytes: number, signal: AbortSignal }} options `temporary` is the folder for its disks
 */
export async function runOnMachine(folders, command, { temporary, mostSeconds, memoryMebibytes, signal }) {
  const limits = { SECONDS_MAX: String(mostSeconds), MEMORY: String(memoryMebibytes) };
  // Its programs would otherwise keep back some KiB of the output.
  const line = ["-oL", machineProgram(), "run", ...folders, "--", command];
  // In a session of its own, by which all of its processes are found.
  const machine = spawn("stdbuf", line, {
    env: { ...process.env, ...limits, AS: "root", TMPDIR: temporary },
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
  });
  const end = () => endSession(machine.pid);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const [code] = await once(machine, "exit");
  end();
  return code ?? 1;
}

/** Kills the processes of the session. A process group would not do: `timeout` is in one of its own. */
function endSession(/** @type {number | undefined} */ session) {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    if (session !== undefined && sessionOf(pid) === session) process.kill(Number(pid), "SIGKILL");
}

/** @returns {number | undefined} `undefined` where the process has ended */
function sessionOf(/** @type {string} */ pid) {
  try {
    // See proc(5): the name, in parentheses, may contain blanks; state, parent, group and session follow.
    return Number(readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ")[3]);
  } catch {
    return undefined;
  }
}
