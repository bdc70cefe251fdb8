import { lstat, readlink } from "node:fs/promises";
import { ifThere } from "@skillwright/core/adapter";
import { link, type Mount, readOnly } from "./mount.js";

/** `/usr` and the directories beside it that link into it, or that replace it on systems that keep them separate. */
export async function programMounts(): Promise<readonly Mount[]> {
  const mounts = [readOnly("/usr")];
  for (const directory of ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]) {
    const found = await ifThere(lstat(directory));
    if (found?.isSymbolicLink()) mounts.push(link(await readlink(directory), directory));
    else if (found?.isDirectory()) mounts.push(readOnly(directory));
  }
  return mounts;
}
