import { existsSync } from "node:fs";

const folders = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc"].filter((folder) => existsSync(folder));

/**
 * Options of bubblewrap for a view of the system's programs. Not of all of `/`: bubblewrap fails where a mount below what it
 * binds comes or goes meanwhile, as those of an engine's containers do.
 */
export const readOnlySystem = folders.flatMap((folder) => ["--ro-bind", folder, folder]);
