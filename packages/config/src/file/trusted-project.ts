import { realpath } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import type { ConfigurationFile } from "./configuration-file.js";

/** True where the home file names the folder; `~` is the home directory, and links are resolved. */
export async function isTrustedProject(
  folder: string,
  homes: ConfigurationFile | undefined,
  home: string | undefined,
): Promise<boolean> {
  const wanted = await real(folder);
  for (const path of homes?.trusted_projects ?? []) {
    const absolute = /^~(?=\/|$)/.test(path) && home !== undefined ? join(home, path.slice(1)) : path;
    if (isAbsolute(absolute) && (await real(absolute)) === wanted) return true;
  }
  return false;
}

async function real(path: string): Promise<string> {
  return await realpath(path).catch(() => resolve(path));
}
