import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { byteStream, type CallOptions, SkillError } from "@skillwright/core";
import { abortable, type FileEntry, ifThere } from "@skillwright/core/adapter";
import type { Credentials } from "../host/credentials.js";
import { ownDirectory } from "../storage/own-directory.js";
import { inDirectory } from "./anchored-directory.js";
import { type Place, parentPlace, placePath } from "./place.js";

export interface PutOptions extends CallOptions {
  /** A directory on the same file system, invisible to commands, that holds a file until it is complete. It may be missing. */
  readonly incoming: string;
  /** Owner of new files and directories. Defaults to this process's user. */
  readonly owner?: Credentials | undefined;
}

/**
 * Writes one file, replacing a file or link of that name atomically.
 * @throws SkillError `PATH_OUTSIDE` for a link on the way, `PATH_INVALID` when a directory has that name, `ABORTED`.
 */
export async function putFile(
  place: Place,
  { content, executable = false }: Omit<FileEntry, "path">,
  options: PutOptions,
): Promise<void> {
  const { owner } = options;
  const { parent, name } = parentPlace(place);
  if (place.isProject) return await putBeside(place, { content, executable }, options);
  const fresh = join(ownDirectory(options.incoming), randomBytes(12).toString("hex"));
  try {
    await writeFresh(fresh, content, { ...options, executable });
    const moveIn = async ({ path }: { path: string }) => {
      await refuseDirectory(`${path}/${name}`, placePath(place));
      await rename(fresh, `${path}/${name}`);
    };
    await inDirectory(parent, moveIn, { make: true, owner });
  } catch (error) {
    await rm(fresh, { force: true });
    throw SkillError.from(error, `Writing ${placePath(place)}`);
  }
}

/**
 * In the user's folder, a file is completed beside its place, since `incoming` may be on another file system. An
 * executable file stays one.
 */
async function putBeside(
  place: Place,
  { content, executable }: Required<Omit<FileEntry, "path">>,
  options: PutOptions,
): Promise<void> {
  const { owner } = options;
  const { parent, name } = parentPlace(place);
  const write = async ({ path }: { path: string }) => {
    await refuseDirectory(`${path}/${name}`, placePath(place));
    const before = await ifThere(lstat(`${path}/${name}`));
    const wasExecutable = before?.isFile() === true && (before.mode & 0o100) !== 0;
    const fresh = `${path}/.skillwright-${randomBytes(12).toString("hex")}`;
    try {
      await writeFresh(fresh, content, { ...options, executable: executable || wasExecutable });
      await rename(fresh, `${path}/${name}`);
    } catch (error) {
      await rm(fresh, { force: true });
      throw SkillError.from(error, `Writing ${placePath(place)}`);
    }
  };
  await inDirectory(parent, write, { make: true, owner });
}

async function writeFresh(
  path: string,
  content: FileEntry["content"],
  { executable, owner, signal }: PutOptions & { executable: boolean },
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(path, flags, 0o600);
  try {
    for await (const piece of abortable(byteStream(content), signal)) await writeAll(handle, piece);
    await handle.chmod(executable ? 0o755 : 0o644);
    if (owner) await handle.chown(owner.uid, owner.gid);
  } finally {
    await handle.close();
  }
}

/** A single write may write less than requested. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.byteLength; )
    offset += (await handle.write(bytes, offset, bytes.byteLength - offset)).bytesWritten;
}

async function refuseDirectory(path: string, shown: string): Promise<void> {
  const found = await ifThere(lstat(path));
  if (!found?.isDirectory()) return;
  throw new SkillError(
    "PATH_INVALID",
    `${shown} is a directory, which is not replaced. Give the file another name, below it or next to it.`,
    { details: { path: shown } },
  );
}
