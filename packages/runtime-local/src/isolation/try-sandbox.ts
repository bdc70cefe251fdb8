import type { Diagnostic } from "@skillwright/core";
import { probeInside } from "./probe-inside.js";
import type { SandboxLauncher } from "./sandbox-launcher.js";
import { refused, type Unavailable } from "./unavailable.js";

/** Starts a no-op command, in exactly the sandbox that runs will get. */
export async function trySandbox(
  launcher: SandboxLauncher,
): Promise<{ diagnostics: readonly Diagnostic[] } | { unavailable: Unavailable }> {
  const result = await probeInside(launcher, ["/bin/sh", "-c", "echo done"]);
  if (result.exitCode !== 0 || result.stdout !== "done\n") return { unavailable: refused(result) };
  return { diagnostics: unbounded(launcher) };
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
