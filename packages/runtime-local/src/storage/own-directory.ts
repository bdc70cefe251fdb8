import { mkdirSync } from "node:fs";

/**
 * Creates a directory of a workspace where it is missing, and never the workspace, which another process may have
 * destroyed meanwhile. Making a directory is most of what a file call costs, so a workspace has only those it needs.
 * @returns the path.
 */
export function ownDirectory(path: string): string {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return path;
}
