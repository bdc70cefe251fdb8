/** Puts the temporary files of all stages into memory if permitted, so that a slow disk does not affect results. */
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../scripts/run-command.mjs";

/**
 * Tests create and remove tens of thousands of files, and ext4 checks every inode freed in the last half minute before
 * it allocates a new one: the same contract takes 3 seconds in memory and 25 on disk. Returns a function that unmounts it.
 */
export async function useMemoryForTemporaryFiles() {
  const directory = mkdtempSync(join(tmpdir(), "sw-"));
  try {
    await runCommand("mount", ["-t", "tmpfs", "-o", "size=50%,mode=1777", "skillwright", directory]);
  } catch (error) {
    rmdirSync(directory);
    console.log(`Temporary files stay on disk: ${String(error.message).split("\n")[0]}`);
    return async () => {};
  }
  process.env["TMPDIR"] = directory;
  return async () => {
    // Lazily, because files that a test left open must not block it.
    await runCommand("umount", ["--lazy", directory]);
    rmdirSync(directory);
  };
}
