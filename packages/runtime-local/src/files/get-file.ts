import { closeSync, constants, fstatSync, openSync, read as readWithCallback } from "node:fs";
import { promisify } from "node:util";
import { type ByteStream, byteStream, type CallOptions, SkillError } from "@skillwright/core";
import { abortable } from "@skillwright/core/adapter";
import { inDirectory, isLink, notFound } from "./anchored-directory.js";
import { openFailed } from "./open-failed.js";
import { type Place, parentPlace, placePath } from "./place.js";

const PIECE_BYTES = 64 * 1024;
const SMALL_BYTES = 256 * 1024;

const read = promisify(readWithCallback);

/**
 * Streams a regular file. A file of at most 256 KiB is read before this settles. A larger one is opened again when its
 * first piece is requested, and yields its content at that time. An unread stream keeps no file open. Opens
 * synchronously and reads in the thread pool.
 * @throws SkillError `FILE_NOT_FOUND`; `PATH_OUTSIDE` for links; `PATH_INVALID` for directories and special files. The
 * stream of a larger file may also fail with these.
 */
export async function getFile(place: Place, { signal }: CallOptions = {}): Promise<ByteStream> {
  const { descriptor, size } = await openRegular(place);
  try {
    const content =
      size > SMALL_BYTES
        ? largeFile(place)
        : byteStream(size === 0 ? EMPTY : await firstBytes(descriptor, size));
    return abortable(content, signal);
  } finally {
    closeSync(descriptor);
  }
}

const EMPTY = new Uint8Array();

interface OpenFile {
  readonly descriptor: number;
  readonly size: number;
}

async function openRegular(place: Place): Promise<OpenFile> {
  const { parent, name } = parentPlace(place);
  return await inDirectory(parent, async ({ path }) => openNow(`${path}/${name}`, placePath(place)));
}

/** Opened non-blocking: a pipe created by a command would block this process forever. */
function openNow(path: string, shown: string): OpenFile {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const descriptor = opened(path, flags, shown);
  const stats = fstatSync(descriptor);
  if (stats.isFile()) return { descriptor, size: stats.size };
  closeSync(descriptor);
  throw notRegular(shown);
}

function opened(path: string, flags: number, shown: string): number {
  try {
    return openSync(path, flags);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ELOOP") throw isLink(shown);
    if (code === "ENOENT") throw notFound(shown, error);
    // A socket, or a device without a driver.
    if (code === "ENXIO" || code === "ENODEV") throw notRegular(shown);
    throw openFailed(error, shown);
  }
}

/** Reads at most `size` bytes; fewer where the file has shrunk. */
async function firstBytes(descriptor: number, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await read(descriptor, bytes, length, size - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

async function* largeFile(place: Place): ByteStream {
  const { descriptor } = await openRegular(place);
  try {
    for (;;) {
      const { bytesRead, buffer } = await read(
        descriptor,
        Buffer.allocUnsafe(PIECE_BYTES),
        0,
        PIECE_BYTES,
        null,
      );
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    closeSync(descriptor);
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
