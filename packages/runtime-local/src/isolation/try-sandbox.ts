import type { Diagnostic } from "@skillwright/core";
import { runTool } from "../host/run-tool.js";
import { bubblewrapArguments } from "./bubblewrap-arguments.js";
import type { SandboxLauncher } from "./sandbox.js";
import { refused, type Unavailable } from "./unavailable.js";

/** Prints each program that does not run. */
const PROBE = 'for program; do "$program" --version >/dev/null 2>&1 || echo "$program"; done';

/** Starts a command that does nothing, in the very sandbox that runs will get. */
export async function trySandbox(
  launcher: SandboxLauncher,
  programs: readonly string[],
): Promise<{ diagnostics: readonly Diagnostic[] } | { unavailable: Unavailable }> {
  const { program, version, credentials } = launcher;
  const mounts = launcher.mounts({ network: false });
  const env = { PATH: "/usr/bin:/bin" };
  const options = bubblewrapArguments(version, { mounts, cwd: "/", env, network: false });
  const command = ["--args", "3", "--", "/bin/sh", "-c", PROBE, "sh", ...programs];
  const result = await runTool(program, command, { credentials, options });
  if (result.exitCode !== 0) return { unavailable: refused(result) };
  const broken = result.stdout.split("\n").filter(Boolean).map(doesNotRun);
  return { diagnostics: [...broken, ...unbounded(launcher)] };
}

function doesNotRun(program: string): Diagnostic {
  return {
    code: "interpreter.not-working",
    severity: "warning",
    message: `${program} is shown to sandboxed commands but does not run there.`,
    hint: "It may need libraries from outside its own directory; install it with the system's package manager.",
  };
}

function unbounded({ version }: SandboxLauncher): readonly Diagnostic[] {
  if (version.boundedTmpfs && version.disableUserNamespaces) return [];
  const missing = version.boundedTmpfs
    ? "commands can make user namespaces of their own"
    : "commands can make user namespaces of their own and fill the machine's memory through /tmp";
  return [
    {
      code: "sandbox.old-bubblewrap",
      severity: "warning",
      message: `With bubblewrap ${version.text} ${missing}.`,
      hint: "Install bubblewrap 0.8.0 or later.",
    },
  ];
}
