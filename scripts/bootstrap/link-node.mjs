import { readlinkSync, rmSync, symlinkSync } from "node:fs";
import { cacheDirectory, root } from "./root.mjs";

const link = `${root}/node_modules/.bin/node`;

/**
 * If this Node came from npm because the machine's own is too old, links it as `node_modules/.bin/node`. That directory is
 * first on the PATH of npm's and pnpm's scripts. The shell scripts in it, which pnpm writes for the programs of dependencies, look
 * for `node` in their own directory before they search the PATH.
 */
export function linkNode() {
  if (!process.execPath.startsWith(`${cacheDirectory}/node/`) || target() === process.execPath) return;
  rmSync(link, { force: true });
  symlinkSync(process.execPath, link);
}

function target() {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}
