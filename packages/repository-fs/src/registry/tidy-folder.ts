import { setTimeout as delay } from "node:timers/promises";
import { ignoreGone } from "../files/errno.js";
import { lstat } from "../files/file-system.js";
import { removeLeftovers } from "../files/leftovers.js";
import { isHeld, readLease, removeLease } from "./lease-file.js";
import { hasRecord } from "./record-file.js";
import { inRegistryFolder, leaveRegistryFolder } from "./registry-folder.js";

const LONGEST_WAIT_MS = 20;

/** Removes the rest of a workspace that has no record and no held lease. */
export async function tidyRegistryFolder(folder: string): Promise<void> {
  if ((await hasRecord(folder)) || !(await lstat(folder).catch(ignoreGone))) return;
  await inRegistryFolder(folder, undefined, async () => {
    const lease = await readLease(folder);
    if ((await hasRecord(folder)) || (lease && (await isHeld(lease)))) return;
    // The next token starts at the current time, which must be past the last token when that is forgotten.
    const ahead = lease ? lease.token - Date.now() : -1;
    if (ahead > LONGEST_WAIT_MS) return;
    if (ahead >= 0) await delay(ahead + 1);
    await removeLease(folder);
    await removeLeftovers(folder);
  });
  await leaveRegistryFolder(folder);
}
