import type { Diagnostic } from "@skillwright/core";
import { probeInside } from "./probe-inside.js";
import type { SandboxLauncher } from "./sandbox-launcher.js";
import { isolationUnavailable, refused } from "./unavailable.js";

/** Prints each program that does not run, and a final line. */
const PROBE = 'for program; do "$program" --version >/dev/null 2>&1 || echo "$program"; done; echo done';

/** Reports the programs that do not run in the sandbox. @throws SkillError `ISOLATION_UNAVAILABLE`. */
export async function tryPrograms(
  launcher: SandboxLauncher,
  programs: readonly string[],
): Promise<readonly Diagnostic[]> {
  if (programs.length === 0) return [];
  const result = await probeInside(launcher, ["/bin/sh", "-c", PROBE, "sh", ...programs]);
  const lines = result.stdout.split("\n").filter(Boolean);
  if (result.exitCode !== 0 || lines.pop() !== "done") throw isolationUnavailable(refused(result));
  return lines.map(doesNotRun);
}

function doesNotRun(program: string): Diagnostic {
  return {
    code: "interpreter.not-working",
    severity: "warning",
    message: `${program} is available to sandboxed commands but does not run there.`,
    hint: "It may need libraries outside its own directory; install it with the system's package manager.",
  };
}
