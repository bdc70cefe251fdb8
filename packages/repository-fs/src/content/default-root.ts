import { lstat, mkdir } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { SkillError } from "@skillwright/core";
import { isErrno } from "../files/errno.js";

/**
 * `<temporary directory>/skillwright-<uid>/content`, created where it does not exist. Every user of the machine can
 * guess the name, so the directory is used only when it belongs to this user and no other user may write to it.
 * @throws SkillError `CONFIG_INVALID` when another user created it first.
 */
export async function defaultRoot(): Promise<string> {
  const uid = process.getuid?.() ?? userInfo().username;
  const folder = join(tmpdir(), `skillwright-${uid}`);
  await mkdir(folder, { mode: 0o711 }).catch((error: unknown) => {
    if (!isErrno(error, "EEXIST")) throw error;
  });
  const { uid: owner, mode, isDirectory } = await statOf(folder);
  if (!isDirectory || (typeof uid === "number" && owner !== uid) || (mode & 0o022) !== 0)
    throw foreign(folder);
  return join(folder, "content");
}

async function statOf(folder: string): Promise<{ uid: number; mode: number; isDirectory: boolean }> {
  const stat = await lstat(folder);
  return { uid: stat.uid, mode: stat.mode, isDirectory: stat.isDirectory() };
}

function foreign(folder: string): SkillError {
  const message = `${folder} is not a folder that only this user can write to. Remove it, or give a \`root\`.`;
  return new SkillError("CONFIG_INVALID", message);
}
