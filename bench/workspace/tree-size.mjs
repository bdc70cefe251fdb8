import { lstatSync, readdirSync } from "node:fs";

/**
 * The number of entries below a directory, and the bytes of its files in blocks on disk. The bytes of directories are not
 * counted, because directories of many file systems do not shrink.
 */
export function treeSize(directory) {
  const size = { entries: 0, bytes: 0 };
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = `${directory}/${entry.name}`;
    size.entries += 1;
    if (!entry.isDirectory()) {
      size.bytes += lstatSync(path).blocks * 512;
      continue;
    }
    const below = treeSize(path);
    size.entries += below.entries;
    size.bytes += below.bytes;
  }
  return size;
}
