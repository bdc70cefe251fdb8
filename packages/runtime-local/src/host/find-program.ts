import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";

/** Neither the caller's PATH nor the working directory: programs found here start with the host's rights. */
export const SYSTEM_DIRECTORIES = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin"];

/** The absolute path of a program that root owns and no other user can change. */
export async function findProgram(
  name: string,
  directories: readonly string[] = SYSTEM_DIRECTORIES,
): Promise<string | undefined> {
  for (const directory of directories) {
    const path = `${directory}/${name}`;
    if (await isSystemProgram(path)) return path;
  }
  return undefined;
}

async function isSystemProgram(path: string): Promise<boolean> {
  try {
    const { uid, mode } = await stat(path);
    await access(path, constants.X_OK);
    return uid === 0 && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}
