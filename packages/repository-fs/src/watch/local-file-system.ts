import { statfs } from "node:fs/promises";

/** Linux tells of every change of these at once, whoever on this machine made it; of network file systems it does not. */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  0xef53, // ext2 to ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x01021994, // tmpfs
  0xf2f52010, // f2fs
  0x2fc12fc1, // zfs
  0x794c7630, // overlay
]);

/** Whether a watch on that folder hears of every change before whoever made it can ask. */
export async function seesEveryChange(folder: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  return await statfs(folder).then(
    ({ type }) => LOCAL_TYPES.has(type),
    () => false,
  );
}
