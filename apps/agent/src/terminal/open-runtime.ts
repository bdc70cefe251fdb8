import type { SandboxConfig } from "@skillwright/agent";
import { SkillError, type WorkspaceRuntime } from "@skillwright/core";
import { dockerRuntime, type PullProgress } from "@skillwright/runtime-docker";
import { localRuntime } from "@skillwright/runtime-local";
import { formatBytes } from "./format.js";
import type { Screen } from "./screen.js";

/**
 * Opens the requested runtime. Pulling an image is reported with a line per layer and step.
 * @throws SkillError `UNSUPPORTED` for containers and a folder of the user, `CONFIG_INVALID` for that folder.
 */
export function openRuntime(sandbox: SandboxConfig, screen: Screen): WorkspaceRuntime {
  const { kind, isolation, image, hostFolder, root, skillCopies } = sandbox;
  if (kind !== "docker")
    return localRuntime({ isolation, root, skillCopies, ...(hostFolder && { hostFolder }) });
  if (hostFolder !== undefined)
    throw new SkillError(
      "UNSUPPORTED",
      "Containers cannot work in a folder of this machine. Leave out --workspace and name the files, or use --runtime local.",
    );
  return dockerRuntime({
    ...{ image, onPull: pullView(screen) },
    ...(skillCopies !== undefined && { skillCopies: skillCopies as "none" }),
  });
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
