import { chownSync } from "node:fs";
import { UNPRIVILEGED } from "../src/host/credentials.js";

/** Where this process is root, commands run as another user, to whom the file or folder is given. */
export function owned(...paths: readonly string[]): void {
  if (process.geteuid?.() !== 0) return;
  for (const path of paths) chownSync(path, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
}
