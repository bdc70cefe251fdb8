import { release } from "node:os";
import { probeInside } from "../isolation/probe-inside.js";
import type { SandboxLauncher } from "../isolation/sandbox-launcher.js";
import { hardLimits } from "./hard-limits.js";
import { processLimits } from "./process-limits.js";

/** With the limit, one child can be started beside the shell, but not eight. */
const PROBE = ": & wait; echo one; for i in 1 2 3 4 5 6 7 8; do sleep 1 & done; echo all";

/**
 * True where the kernel counts the processes of a sandbox separately, which it does from Linux 5.14 on. Older kernels
 * count all processes of the user together.
 */
export async function tryProcessLimit(launcher: SandboxLauncher): Promise<boolean> {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  if (major < 5 || (major === 5 && minor < 14)) return false;
  const each = processLimits({ processes: 3 }, hardLimits());
  const { stdout } = await probeInside(launcher, ["/bin/sh", "-c", PROBE], each);
  return stdout.trim() === "one";
}
