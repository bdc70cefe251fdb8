import type { ManifestFile } from "@skillwright/core";
import { shownLine } from "@skillwright/core/adapter";
import { formatBytes } from "./amounts.js";
import type { Style } from "./style.js";

/** One line per file: its size, its path, and whether it is executable. */
export function fileLines(files: readonly Omit<ManifestFile, "sha256">[], style: Style): string[] {
  const sizes = files.map(({ size }) => formatBytes(size));
  const width = Math.max(0, ...sizes.map((size) => size.length));
  return files.map(({ path, executable }, index) => {
    const mark = executable ? style.green(" *executable") : "";
    return `  ${style.dim((sizes[index] ?? "").padStart(width))}  ${shownLine(path)}${mark}`;
  });
}
