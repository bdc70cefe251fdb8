import type { WorkspaceRuntime } from "@skillwright/core";
import { dockerRuntime, type PullProgress } from "@skillwright/runtime-docker";
import { localRuntime } from "@skillwright/runtime-local";
import type { DemoOptions } from "./command-line.js";
import { formatBytes } from "./format.js";
import type { Screen } from "./screen.js";

/** Opens the requested runtime. Pulling an image is reported with a line per layer and step. */
export function openRuntime(
  { runtime, isolation, image }: Pick<DemoOptions, "runtime" | "isolation" | "image">,
  screen: Screen,
): WorkspaceRuntime {
  if (runtime === "local") return localRuntime({ isolation });
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
