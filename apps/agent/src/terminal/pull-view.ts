import type { ImagePull } from "@skillwright/agent";
import { formatBytes } from "./format.js";
import type { Screen } from "./screen.js";

/** Shows the pull of an image with a line per layer and step. */
export function pullView(screen: Screen): (progress: ImagePull) => void {
  const told = new Set<string>();
  return (progress) => {
    const line = pullLine(progress);
    if (told.has(line)) return;
    told.add(line);
    screen.line(screen.colours.dim(line));
  };
}

/** Without the bytes so far, so that a layer is reported once per step and not for every piece. */
function pullLine({ image, status, layer, total }: ImagePull): string {
  const size = total === undefined ? "" : `, ${formatBytes(total)}`;
  return `  pulling ${image}${layer === undefined ? "" : ` ${layer}`}: ${status}${size}`;
}
