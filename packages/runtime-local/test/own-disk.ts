import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const BYTES = 2 ** 30;
const INODES = 200_000;

/**
 * A directory of a file system for this test alone, because space that other tests free at the same moment would hide what the run takes.
 * Where this user may not mount one, a directory of the disk that all share.
 */
export function ownDisk(): string {
  // Files here survive a restart of the machine, so that they are on a disk.
  const directory = mkdtempSync("/var/tmp/skillwright-disk-");
  const [image, place] = [join(directory, "image"), join(directory, "place")];
  writeFileSync(image, "");
  truncateSync(image, BYTES);
  mkdirSync(place);
  const isMounted =
    succeeds("mkfs.ext4", "-q", "-N", `${INODES}`, image) && succeeds("mount", "-o", "loop", image, place);
  for (const path of [directory, place]) chmodSync(path, 0o755);
  if (isMounted) chmodSync(place, 0o1777);
  onTestFinished(() => {
    if (isMounted) spawnSync("umount", ["--lazy", place]);
    rmSync(directory, { recursive: true, force: true });
  });
  return place;
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}
