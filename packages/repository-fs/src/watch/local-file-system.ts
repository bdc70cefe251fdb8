import { statfs } from "node:fs/promises";

/**
 * Linux reports every change on these file systems at once, whichever process on this machine made it; for network file
 * systems it does not.
 */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  0xef53, // ext2 to ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x01021994, // tmpfs
  0xf2f52010, // f2fs
  0x2fc12fc1, // zfs
  0x794c7630, // overlay
]);

/** True where a watch on that directory receives every change before the process that made it can ask. */
export async function seesEveryChange(folder: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  return await statfs(folder).then(
    ({ type }) => LOCAL_TYPES.has(type),
    () => false,
  );
}
