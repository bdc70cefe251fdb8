import { systemCallFilter } from "@skillwright/supervisor";
import { runTool, type ToolResult } from "../host/run-tool.js";
import { limitedByPrlimit, supervisedInside } from "../supervisor/inside-command.js";
import { bubblewrapArguments } from "./bubblewrap-arguments.js";
import type { SandboxLauncher } from "./sandbox-launcher.js";

/** Runs a short command of this package in exactly the sandbox that runs will get. */
export async function probeInside(
  { program, version, credentials, supervisor, prlimit, mounts }: SandboxLauncher,
  argv: readonly string[],
  each: readonly string[] = [],
): Promise<ToolResult> {
  const filter = supervisor === undefined ? systemCallFilter({ network: false }) : undefined;
  const options = bubblewrapArguments(version, {
    mounts: mounts({ network: false }),
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    network: false,
    supervised: supervisor !== undefined,
    filterDescriptor: filter && 4,
  });
  const inside = supervisor
    ? supervisedInside({ argv, each, network: false })
    : limitedByPrlimit(prlimit, { argv, each });
  return await runTool(program, ["--args", "3", "--", ...inside], {
    credentials,
    inputs: [options, ...(filter ? [filter] : [])],
  });
}
