import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";

/** Unmounts everything below a directory, innermost first, and removes the directory. */
export async function removeFolder(folder) {
  for (const mountPoint of mountPointsBelow(folder)) {
    try {
      execFileSync("umount", ["--lazy", mountPoint], { stdio: "ignore" });
    } catch {
      // It was unmounted with another one; if not, the removal below fails.
    }
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

function mountPointsBelow(folder) {
  return readFileSync("/proc/self/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((mountPoint) => mountPoint === folder || mountPoint.startsWith(`${folder}/`))
    .sort()
    .reverse();
}
