import { resolve } from "node:path";
import { SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { dockerRuntime, type PullProgress } from "@skillwright/runtime-docker";
import { localRuntime } from "@skillwright/runtime-local";
import type { DemoOptions } from "./command-line.js";
import { formatBytes } from "./format.js";
import type { Screen } from "./screen.js";

/**
 * Opens the requested runtime. Pulling an image is reported with a line per layer and step.
 * @throws SkillError `UNSUPPORTED` for containers and a folder of the user, `CONFIG_INVALID` for that folder.
 */
export function openRuntime(
  {
    runtime,
    isolation,
    image,
    workspace,
  }: Pick<DemoOptions, "runtime" | "isolation" | "image" | "workspace">,
  screen: Screen,
  cwd: string,
): WorkspaceRuntime {
  if (runtime === "local")
    return localRuntime({
      isolation,
      ...(workspace !== undefined && { hostFolder: { path: resolve(cwd, workspace) } }),
    });
  if (workspace !== undefined)
    throw new SkillError(
      "UNSUPPORTED",
      "Containers cannot work in a folder of this machine. Leave out --workspace and name the files, or use --runtime local.",
    );
  return dockerRuntime({ image, onPull: pullView(screen) });
}

function pullView(screen: Screen): (progress: PullProgress) => void {
  const told = new Set<string>();
  return (progress) => {
    const line = pullLine(progress);
    if (told.has(line)) return;
    told.add(line);
    screen.line(screen.colours.dim(line));
  };
}

/** Without the bytes so far, so that a layer is reported once per step and not for every piece. */
function pullLine({ image, status, layer, total }: PullProgress): string {
  const size = total === undefined ? "" : `, ${formatBytes(total)}`;
  return `  pulling ${image}${layer === undefined ? "" : ` ${layer}`}: ${status}${size}`;
}
