import type { Diagnostic } from "@skillwright/core";
import { probeInside } from "./probe-inside.js";
import type { SandboxLauncher } from "./sandbox-launcher.js";
import { refused, type Unavailable } from "./unavailable.js";

/** Prints each program that does not run, and a final line. */
const PROBE = 'for program; do "$program" --version >/dev/null 2>&1 || echo "$program"; done; echo done';

/** Starts a command that tests the programs, in exactly the sandbox that runs will get. */
export async function trySandbox(
  launcher: SandboxLauncher,
  programs: readonly string[],
): Promise<{ diagnostics: readonly Diagnostic[] } | { unavailable: Unavailable }> {
  const result = await probeInside(launcher, ["/bin/sh", "-c", PROBE, "sh", ...programs]);
  const lines = result.stdout.split("\n").filter(Boolean);
  if (result.exitCode !== 0 || lines.pop() !== "done") return { unavailable: refused(result) };
  return { diagnostics: [...lines.map(doesNotRun), ...unbounded(launcher)] };
}

function doesNotRun(program: string): Diagnostic {
  return {
    code: "interpreter.not-working",
    severity: "warning",
    message: `${program} is available to sandboxed commands but does not run there.`,
    hint: "It may need libraries outside its own directory; install it with the system's package manager.",
  };
}

function unbounded({ version }: SandboxLauncher): readonly Diagnostic[] {
  if (version.boundedTmpfs && version.disableUserNamespaces) return [];
  const missing = version.boundedTmpfs
    ? "commands can create user namespaces"
    : "commands can create user namespaces and fill the machine's memory through /tmp";
  return [
    {
      code: "sandbox.old-bubblewrap",
      severity: "warning",
      message: `With bubblewrap ${version.text} ${missing}.`,
      hint: "Install bubblewrap 0.8.0 or later.",
    },
  ];
}
