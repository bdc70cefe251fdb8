import { runTool, type ToolResult } from "../host/run-tool.js";
import { supervisedInside } from "../supervisor/inside-command.js";
import { bubblewrapArguments } from "./bubblewrap-arguments.js";
import type { SandboxLauncher } from "./sandbox-launcher.js";

/** Runs a short command of this package in exactly the sandbox that runs will get. */
export async function probeInside(
  { program, version, credentials, mounts }: SandboxLauncher,
  argv: readonly string[],
  each: readonly string[] = [],
): Promise<ToolResult> {
  const network = false;
  const env = { PATH: "/usr/bin:/bin" };
  const options = bubblewrapArguments(version, { mounts: mounts({ network }), cwd: "/", env, network });
  const inside = supervisedInside({ argv, each, network });
  return await runTool(program, ["--args", "3", "--", ...inside], { credentials, inputs: [options] });
}
