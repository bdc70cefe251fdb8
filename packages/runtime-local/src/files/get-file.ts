import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { type ByteStream, byteStream, type CallOptions, SkillError } from "@skillwright/core";
import { abortable } from "@skillwright/core/adapter";
import { inDirectory, isLink, notFound } from "./anchored-directory.js";
import { type Place, parentPlace, placePath } from "./place.js";

const PIECE_BYTES = 64 * 1024;
const SMALL_BYTES = 256 * 1024;

/**
 * Streams a regular file. A file of at most 256 KiB is read before this settles. A larger one is opened again when its
 * first piece is requested, and yields its content at that time. An unread stream keeps no file open.
 * @throws SkillError `FILE_NOT_FOUND`; `PATH_OUTSIDE` for links; `PATH_INVALID` for directories and special files. The
 * stream of a larger file may also fail with these.
 */
export async function getFile(place: Place, { signal }: CallOptions = {}): Promise<ByteStream> {
  const handle = await openRegular(place);
  try {
    const { size } = await handle.stat();
    const content = size > SMALL_BYTES ? largeFile(place) : byteStream(await firstBytes(handle, size));
    return abortable(content, signal);
  } finally {
    await handle.close();
  }
}

async function openRegular(place: Place): Promise<FileHandle> {
  const { parent, name } = parentPlace(place);
  return await inDirectory(parent, ({ path }) => openNow(`${path}/${name}`, placePath(place)));
}

/** Opened non-blocking: a pipe created by a command would block a thread forever. */
async function openNow(path: string, shown: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ELOOP") throw isLink(shown);
    if (error.code === "ENOENT") throw notFound(shown, error);
    // A socket, or a device without a driver.
    if (error.code === "ENXIO" || error.code === "ENODEV") throw notRegular(shown);
    throw SkillError.from(error, `Opening ${shown}`);
  });
  const isRegular = await handle.stat().then(
    (stat) => stat.isFile(),
    () => false,
  );
  if (isRegular) return handle;
  await handle.close();
  throw notRegular(shown);
}

/** Reads at most `size` bytes; fewer where the file has shrunk. */
async function firstBytes(handle: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await handle.read(bytes, length, size - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

async function* largeFile(place: Place): ByteStream {
  const handle = await openRegular(place);
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PIECE_BYTES), 0, PIECE_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

function notRegular(path: string): SkillError {
  return new SkillError(
    "PATH_INVALID",
    `${path} is not a regular file, so it is not read. Give a regular file.`,
    {
      details: { path },
    },
  );
}
