import { release } from "node:os";
import { runTool } from "../host/run-tool.js";
import { bubblewrapArguments } from "../isolation/bubblewrap-arguments.js";
import type { SandboxLauncher } from "../isolation/sandbox.js";
import { hardLimits } from "./hard-limits.js";
import { limitPrefix } from "./limit-prefix.js";

/** One child may be started beside the shell, eight may not. */
const PROBE = "sleep 0.1 & wait; echo one; for i in 1 2 3 4 5 6 7 8; do sleep 1 & done; echo all";

/**
 * Whether the kernel counts the processes of a sandbox by themselves: from Linux 5.14 on, since before that all processes
 * of the user, in whichever sandbox, were counted together.
 */
export async function tryProcessLimit(launcher: SandboxLauncher, prlimit: string): Promise<boolean> {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  if (major < 5 || (major === 5 && minor < 14)) return false;
  const { program, version, credentials } = launcher;
  const mounts = launcher.mounts({ network: false });
  const env = { PATH: "/usr/bin:/bin" };
  const options = bubblewrapArguments(version, { mounts, cwd: "/", env, network: false });
  const means = { prlimit, isolated: true, hard: hardLimits(), noCoreFile: undefined };
  const { prefix } = limitPrefix({ processes: 3 }, means);
  const command = ["--args", "3", "--", ...prefix, "/bin/sh", "-c", PROBE];
  const { stdout } = await runTool(program, command, { credentials, options });
  return stdout.trim() === "one";
}
