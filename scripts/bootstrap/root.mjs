import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root directory, absolute, without a slash at the end. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the scripts keep between runs: pnpm, other Nodes, stamps, logs. Ignored by git; deleting it is always safe. */
export const cacheDirectory = `${root}/.cache`;
