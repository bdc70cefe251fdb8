import { homedir } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root directory, absolute, without a trailing slash. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The directory of what scripts keep between runs: pnpm, other Nodes, stamps, logs. Ignored by git; it can always be deleted. */
export const cacheDirectory = `${root}/.cache`;

/** The user's directory for caches that all checkouts share, without a trailing slash. */
export function cacheHome(env = process.env) {
  return env["XDG_CACHE_HOME"] || `${homedir()}/.cache`;
}
