import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { abortable, type ByteStream, type CallOptions, SkillError } from "@skillwright/core";
import { inDirectory, isLink, notFound } from "./anchored-directory.js";
import { type Place, parentPlace, placePath } from "./place.js";

const PIECE_BYTES = 64 * 1024;

/**
 * A regular file's bytes. The file is open when this settles, so that it stays what it was; it is closed when the stream
 * ends or is left.
 * @throws SkillError `FILE_NOT_FOUND`; `PATH_OUTSIDE` for links; `PATH_INVALID` for directories and special files.
 */
export async function getFile(place: Place, { signal }: CallOptions = {}): Promise<ByteStream> {
  const { parent, name } = parentPlace(place);
  const shown = placePath(place);
  const handle = await inDirectory(parent, ({ path }) => openRegular(`${path}/${name}`, shown));
  return abortable(pieces(handle), signal);
}

/** Opened without waiting: a pipe that a command put there would keep a thread for ever (SPEC-01). */
async function openRegular(path: string, shown: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ELOOP") throw isLink(shown);
    if (error.code === "ENOENT") throw notFound(shown, error);
    // A socket, or a device without a driver.
    if (error.code === "ENXIO" || error.code === "ENODEV") throw notRegular(shown);
    throw SkillError.from(error, `Opening ${shown}`);
  });
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw notRegular(shown);
}

async function* pieces(handle: FileHandle): ByteStream {
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
  return new SkillError("PATH_INVALID", `${path} is not a regular file, so it is not read. Name a file.`, {
    details: { path },
  });
}
