import type { BigIntStats } from "node:fs";
import { isContainedPath } from "@skillwright/core";
import type { FileStat } from "@skillwright/core/adapter";

/** The entry's path in the workspace; `plain` where it can be requested by that path. */
export function entryPath(directory: string, name: Buffer): { path: string; plain: boolean } {
  const text = name.toString("utf8");
  const path = `${directory}/${text}`;
  // Bytes that are not UTF-8, read as text, would name no file or another one.
  if (isContainedPath(path) && Buffer.from(text).equals(name)) return { path, plain: true };
  return { path: `${directory}/${escaped(name)}`, plain: false };
}

export function fileStat(path: string, stats: BigIntStats, kind: FileStat["kind"]): FileStat {
  return {
    path,
    kind,
    size: Number(stats.size),
    modifiedMs: Number(stats.mtimeNs / 1000n) / 1000,
    mark: [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join("-"),
    ...(kind === "file" ? { executable: (stats.mode & 0o100n) !== 0n } : {}),
    ...(kind === "file" && stats.nlink > 1n
      ? { hardLinks: { count: Number(stats.nlink), file: `${stats.dev}-${stats.ino}` } }
      : {}),
  };
}

function escaped(name: Buffer): string {
  return name.toString("latin1").replace(/[^ -~]|\\/g, (byte) => {
    return `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}
