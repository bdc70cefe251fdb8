import type { BigIntStats } from "node:fs";

/** What a snapshot knows about an entry. Names are the bytes of the name, one character each. */
export type FolderNode =
  | { readonly kind: "directory"; readonly mode: number; readonly entries: readonly FolderEntry[] }
  | {
      readonly kind: "file";
      readonly mode: number;
      readonly size: number;
      /** Equal as long as nobody changed the file. */
      readonly mark: string;
      readonly modifiedMs: number;
      /** Name of the stored content. */
      readonly content: string;
    }
  | { readonly kind: "link"; readonly to: string }
  /** Neither stored nor touched by an undo: a special file, another file system, no permission. */
  | { readonly kind: "left" };

export type FolderEntry = readonly [name: string, node: FolderNode];

export type FolderTree = Extract<FolderNode, { readonly kind: "directory" }>;

export type FolderFile = Extract<FolderNode, { readonly kind: "file" }>;

/** Directories that are nested deeper are not read. */
export const MOST_LEVELS = 64;

export function nameOf(bytes: Buffer): string {
  return bytes.toString("latin1");
}

export function bytesOf(name: string): Buffer {
  return Buffer.from(name, "latin1");
}

/** A command cannot set the time of the last status change, so that each of its changes is seen. */
export function markOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join("-");
}

export function modeOf({ mode }: BigIntStats): number {
  return Number(mode & 0o777n);
}

/** For people: text where the bytes are visible UTF-8. */
export function shownPath(names: readonly string[]): string {
  return names.map(shownName).join("/");
}

function shownName(name: string): string {
  const bytes = bytesOf(name);
  const text = bytes.toString("utf8");
  if (Buffer.from(text).equals(bytes) && !/[\p{C}\u2028\u2029]/u.test(text)) return text;
  return name.replace(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
