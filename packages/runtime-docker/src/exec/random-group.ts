import { randomInt } from "node:crypto";

/**
 * A group that identifies one run's processes. None of them can leave it: that takes a capability, which no process in
 * the container has. Below 65,536, because rootless engines, and those with user namespaces, support no others; above
 * the groups of images.
 */
export function randomGroup(): number {
  return randomInt(20_000, 60_000);
}
