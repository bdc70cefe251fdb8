import { mountOptions } from "../../packages/runtime-local/src/isolation/bubblewrap-arguments.js";
import { readOnly } from "../../packages/runtime-local/src/isolation/mount.js";
import { programMounts } from "../../packages/runtime-local/src/isolation/system-mounts.js";

/**
 * Options of bubblewrap for a view of the system's programs. Not of all of `/`: bubblewrap fails where a mount below what it
 * binds comes or goes meanwhile, as those of an engine's containers do.
 */
export const readOnlySystem = [...(await programMounts()), readOnly("/etc")].flatMap(mountOptions);
