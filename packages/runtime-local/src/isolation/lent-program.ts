import { createHash, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { access, chmod, copyFile, link, mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Puts the program where every user can reach it, for a root host whose own installation is in a private home
 * directory. Creates a hard link where the file system allows it, otherwise a copy, once per version.
 */
export async function lentProgram(program: string, directory: string): Promise<string> {
  const { dev, ino, size, mtimeMs, mode } = await stat(program);
  const key = createHash("sha256").update([program, dev, ino, size, mtimeMs].join("\0")).digest("hex");
  const home = join(directory, "programs");
  const lent = join(home, key.slice(0, 32));
  if (await succeeds(access(lent))) return lent;
  await mkdir(home, { recursive: true, mode: 0o711 });
  const fresh = `${lent}.${randomBytes(8).toString("hex")}`;
  const forEverybody = (mode & 0o005) === 0o005;
  const linked = forEverybody && (await succeeds(link(program, fresh)));
  if (!linked) {
    await copyFile(program, fresh, constants.COPYFILE_FICLONE);
    await chmod(fresh, 0o755);
  }
  await rename(fresh, lent);
  // Renaming one hard link over another of the same file leaves both.
  await rm(fresh, { force: true });
  return lent;
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return await work.then(
    () => true,
    () => false,
  );
}
