import type { ArchiveEntryKind } from "@skillwright/core/adapter";
import type { Entry } from "yauzl";
import { damaged, shown } from "../damaged.js";

const KINDS = new Map<number, ArchiveEntryKind>([
  [0o010000, "pipe"],
  [0o020000, "device"],
  [0o060000, "device"],
  [0o100000, "file"],
  [0o120000, "symbolic link"],
  [0o140000, "socket"],
]);
const FOLDER = 0o040000;
const DOS_FOLDER = 0x10;

/**
 * Determined by the Unix type, whatever system the packer names, and by the trailing `/` of folders; both must agree.
 */
export function zipKind({ externalFileAttributes }: Entry, name: string): ArchiveEntryKind {
  const type = (externalFileAttributes >>> 16) & 0o170000;
  const kind = type === 0 || type === FOLDER ? "file" : (KINDS.get(type) ?? "other");
  if (kind !== "file") return kind;
  const folder = type === FOLDER || (type === 0 && (externalFileAttributes & DOS_FOLDER) !== 0);
  if (name.endsWith("/") && type !== 0o100000) return "folder";
  if (folder || name.endsWith("/"))
    throw damaged(
      `The entry ${shown(name)} is a folder according to its name or its type, and a file according to the other`,
    );
  return "file";
}
