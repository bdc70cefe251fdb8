import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openArchive, type writeArchive } from "@skillwright/archive";
import { manifestDigest } from "@skillwright/core";
import { archiveContent } from "../archives/archive-content.js";
import { writableFolder } from "../handing-on/writable-folder.js";

export interface PutInPlaceOptions {
  /** Digest of the files that the archive has to contain. */
  readonly digest: string;
  /** True for an archive of a plugin. */
  readonly trees?: boolean;
  /** Creates the error for an archive with other files. */
  readonly different: () => Error;
  readonly signal: AbortSignal | undefined;
}

/**
 * Writes an archive to a temporary file beside `file`, reads it back, compares its digest, and renames it. Returns its size
 * in bytes. After a failure nothing is left.
 * @throws SkillError `INPUT_INVALID` where the folder cannot be made or written to.
 */
export async function putInPlace(
  archive: ReturnType<typeof writeArchive>,
  file: string,
  { digest, trees = false, different, signal }: PutInPlaceOptions,
): Promise<number> {
  await writableFolder(dirname(file), { what: "Archives", option: "--out" });
  const part = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomUUID()}.part`);
  try {
    await pipeline(archive, createWriteStream(part, { flags: "wx" }), { ...(signal && { signal }) });
    const { manifest } = await archiveContent(await openArchive(createReadStream(part), { trees, signal }));
    if (manifestDigest(manifest) !== digest) throw different();
    const { size } = await stat(part);
    await rename(part, file);
    return size;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
