import { lstatSync, readdirSync } from "node:fs";

/**
 * What lies below a directory: the number of entries, and the bytes of its files in blocks on disk. Directories are not
 * counted in bytes: those of many file systems do not shrink when what was in them is gone.
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
