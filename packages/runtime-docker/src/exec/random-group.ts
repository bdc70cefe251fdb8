import { randomInt } from "node:crypto";

/**
 * A group that names one run's processes. None of them can leave it: that takes a capability, and nobody in the container
 * has any. Below 65,536, because an engine without root, or with shifted users, knows no others; above those of images.
 */
export function randomGroup(): number {
  return randomInt(20_000, 60_000);
}
