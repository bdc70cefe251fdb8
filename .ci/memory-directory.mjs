/** Puts the temporary files of all stages into memory where that is allowed, so that no slow disk decides what passes. */
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../scripts/run-command.mjs";

/**
 * Tests make and remove files by the ten thousand, and ext4 looks at every inode freed in the last half minute before
 * it gives a new one: the same contract takes 3 seconds in memory and 25 on disk. Returns what takes it back.
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
    // Lazily: what a test left open must not hold up the answer.
    await runCommand("umount", ["--lazy", directory]);
    rmdirSync(directory);
  };
}
