import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  futimesSync,
  lchownSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { SkillError } from "@skillwright/core";
import { descriptorPath } from "../files/anchored-directory.js";
import { bytesOf, type FolderFile, type FolderNode, type FolderTree, markOf, nameOf } from "./folder-tree.js";
import { type OpenedDirectory, openedDirectory } from "./opened-directory.js";
import { removeEntry } from "./remove-entry.js";

export interface RestorePlace {
  /** The directory that holds the stored contents. */
  readonly contents: string;
  /** Owner of what is created. Defaults to this process's user. */
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Makes the folder what it was. Each entry is created beside its place and moved in, and no existing file is written
 * to, since it may have other names elsewhere. It is not aborted halfway.
 */
export async function restoreTree(path: string, tree: FolderTree, place: RestorePlace): Promise<void> {
  const root = openedDirectory(path);
  try {
    await restoreEntries({ ...place, root, done: 0 }, root, tree);
  } finally {
    root.close();
  }
}

interface Restore extends RestorePlace {
  readonly root: OpenedDirectory;
  done: number;
}

async function restoreEntries(restore: Restore, directory: OpenedDirectory, tree: FolderTree): Promise<void> {
  const wanted = new Map(tree.entries);
  for (const name of directory.names())
    if (!wanted.has(nameOf(name))) await removeEntry(directory, name, restore.root);
  for (const [name, node] of wanted) {
    if (++restore.done % 200 === 0) await setImmediate();
    await restoreEntry(restore, directory, bytesOf(name), node);
  }
  fchmodSync(directory.descriptor, tree.mode);
}

async function restoreEntry(
  restore: Restore,
  directory: OpenedDirectory,
  name: Buffer,
  node: FolderNode,
): Promise<void> {
  const found = directory.look(name);
  switch (node.kind) {
    case "left":
      return;
    case "link": {
      if (found?.isSymbolicLink() && linkOf(directory, name) === node.to) return;
      const fresh = freshName();
      symlinkSync(bytesOf(node.to), directory.at(fresh));
      if (restore.owner) lchownSync(directory.at(fresh), restore.owner.uid, restore.owner.gid);
      return moveIn(restore, directory, fresh, name);
    }
    case "file": {
      if (found?.isFile() && markOf(found) === node.mark) return;
      const fresh = freshName();
      writeFresh(restore, directory.at(fresh), node);
      return moveIn(restore, directory, fresh, name);
    }
    case "directory": {
      if (found && !found.isDirectory()) await removeEntry(directory, name, restore.root);
      if (!found?.isDirectory()) {
        mkdirSync(directory.at(name), { mode: 0o700 });
        if (restore.owner) lchownSync(directory.at(name), restore.owner.uid, restore.owner.gid);
      }
      const inner = directory.enter(name) ?? directory.enterAnyway(name);
      if (!inner) throw inTheWay(name);
      try {
        // It may have been made read-only.
        fchmodSync(inner.descriptor, 0o700);
        await restoreEntries(restore, inner, node);
      } finally {
        inner.close();
      }
    }
  }
}

function linkOf(directory: OpenedDirectory, name: Buffer): string {
  return nameOf(readlinkSync(directory.at(name), { encoding: "buffer" }));
}

function freshName(): Buffer {
  return Buffer.from(`.skillwright-${randomBytes(12).toString("hex")}`);
}

async function moveIn(
  { root }: Restore,
  directory: OpenedDirectory,
  fresh: Buffer,
  name: Buffer,
): Promise<void> {
  if (directory.look(name)?.isDirectory()) await removeEntry(directory, name, root);
  renameSync(directory.at(fresh), directory.at(name));
}

function writeFresh({ contents, owner }: Restore, path: Buffer, node: FolderFile): void {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const descriptor = openSync(path, flags, 0o600);
  try {
    const target = process.platform === "linux" ? descriptorPath(descriptor, "") : path;
    copyFileSync(join(contents, node.content), target, constants.COPYFILE_FICLONE);
    if (owner) fchownSync(descriptor, owner.uid, owner.gid);
    fchmodSync(descriptor, node.mode);
    futimesSync(descriptor, node.modifiedMs / 1000, node.modifiedMs / 1000);
  } finally {
    closeSync(descriptor);
  }
}

function inTheWay(name: Buffer): SkillError {
  return new SkillError(
    "CONFLICT",
    `The folder ${JSON.stringify(name.toString())} was replaced while it was restored. Stop the program that does it, and undo again.`,
  );
}
