import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Makes a folder that is opened for inputs, with what the cases of host files need. */
export function makeOpenFolder(open: string): void {
  mkdirSync(join(open, "tree", "sub"), { recursive: true });
  writeFileSync(join(open, "tree", "a.txt"), "a");
  writeFileSync(join(open, "tree", "sub", "b.sh"), "b", { mode: 0o755 });
  symlinkSync("/etc/passwd", join(open, "tree", "link"));
  symlinkSync("/etc", join(open, "tree", "linked"));
  symlinkSync("/etc/passwd", join(open, "l"));
  execFileSync("mkfifo", [join(open, "fifo"), join(open, "tree", "pipe")]);
  writeFileSync(join(open, "huge"), "");
  truncateSync(join(open, "huge"), 10 * 1024 ** 3);
}
