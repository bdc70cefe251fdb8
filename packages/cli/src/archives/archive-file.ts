import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type ByteStream, SkillError } from "@skillwright/core";
import { ifThere } from "@skillwright/core/adapter";

/**
 * The bytes of an archive named on the command line.
 * @throws SkillError `FILE_NOT_FOUND` where there is no such file.
 */
export async function archiveFile(path: string, cwd: string): Promise<ByteStream> {
  const absolute = resolve(cwd, path);
  const found = await ifThere(stat(absolute));
  if (found?.isFile()) return read(absolute);
  const what = found ? `${absolute} is not a file.` : `${absolute} does not exist.`;
  throw new SkillError("FILE_NOT_FOUND", `${what} Give a .skill, .zip or .tar.gz file.`);
}

/** Opens the archive when its first piece is read, so that an earlier refusal leaves nothing open. */
async function* read(path: string): ByteStream {
  yield* createReadStream(path);
}
